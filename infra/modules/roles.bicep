/*
  Who may do what: every role of Azure that is assigned, each on the one resource that it is for.

  Two more rights are data plane assignments of the services' own and stand with them: Redis (redis.bicep) and
  Cosmos DB (archive.bicep).
*/

@description('Object id of the identity that both apps use.')
param principalId string

@description('Object id of the communication service’s own identity.')
param communicationPrincipalId string

@description('Object id of the user or service principal that deploys, which writes the generated secret; empty for none.')
param deployerId string

param deployerType 'User' | 'ServicePrincipal'

param aiName string
param communicationName string
param configurationName string
param functionsStorageName string
param insightsName string
param recordingsStorageName string
param registryName string
param vaultName string
param webPubSubName string

// Built-in roles have the same id in every tenant.
var roles = {
  acrPull: '7f951dda-4ed3-4680-a7ca-43fe172d538d'
  appConfigurationDataOwner: '5ae67dd6-50cb-40e7-96ff-dc2bfa4b606b'
  appConfigurationDataReader: '516239f1-63e1-4d78-a4de-a74fb236a071'
  cognitiveServicesOpenAiUser: '5e0bd9bd-7b93-4f28-af87-19fc36ad61bd'
  cognitiveServicesUser: 'a97b65f3-24c7-4388-baec-2e87135dc908'
  communicationAndEmailServiceOwner: '09976791-48a7-449e-bb21-39d1a415f350'
  keyVaultSecretsOfficer: 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7'
  keyVaultSecretsUser: '4633458b-17de-408a-b874-0445c86b69e6'
  monitoringMetricsPublisher: '3913510d-42f4-4e42-8a64-420c390055eb'
  storageBlobDataContributor: 'ba92f5b4-2d11-453d-a403-e96b0029c9fe'
  storageBlobDataOwner: 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'
  webPubSubServiceOwner: '12cf5a90-567b-43ae-8102-96cf46c7d9b4'
}

resource ai 'Microsoft.CognitiveServices/accounts@2025-06-01' existing = {
  name: aiName
}

resource communication 'Microsoft.Communication/communicationServices@2025-09-01' existing = {
  name: communicationName
}

resource configuration 'Microsoft.AppConfiguration/configurationStores@2024-05-01' existing = {
  name: configurationName
}

resource functionsStorage 'Microsoft.Storage/storageAccounts@2024-01-01' existing = {
  name: functionsStorageName
}

resource insights 'Microsoft.Insights/components@2020-02-02' existing = {
  name: insightsName
}

resource recordingsStorage 'Microsoft.Storage/storageAccounts@2024-01-01' existing = {
  name: recordingsStorageName
}

resource registry 'Microsoft.ContainerRegistry/registries@2025-04-01' existing = {
  name: registryName
}

resource vault 'Microsoft.KeyVault/vaults@2023-07-01' existing = {
  name: vaultName
}

resource webPubSub 'Microsoft.SignalRService/webPubSub@2024-03-01' existing = {
  name: webPubSubName
}

// The apps recognise and synthesise speech, and open Voice Live sessions.
resource speech 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(ai.id, principalId, roles.cognitiveServicesUser)
  scope: ai
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.cognitiveServicesUser)
  }
}

// The apps ask language models. Cognitive Services User includes it today; the models' own role says so for certain.
resource models 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(ai.id, principalId, roles.cognitiveServicesOpenAiUser)
  scope: ai
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.cognitiveServicesOpenAiUser)
  }
}

// The communication service transcribes calls by itself in TRANSCRIPTION mode.
resource transcription 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(ai.id, communicationPrincipalId, roles.cognitiveServicesUser)
  scope: ai
  properties: {
    principalId: communicationPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.cognitiveServicesUser)
  }
}

// A streaming host places, answers, transfers and ends calls. There is no role for call automation alone; this is the
// narrowest built-in one, and it is given on this resource only.
resource calls 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(communication.id, principalId, roles.communicationAndEmailServiceOwner)
  scope: communication
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.communicationAndEmailServiceOwner)
  }
}

// Streaming hosts write recordings; requests read and delete them.
resource recordings 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(recordingsStorage.id, principalId, roles.storageBlobDataContributor)
  scope: recordingsStorage
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.storageBlobDataContributor)
  }
}

// The Functions host keeps its locks and keys in its own account, and takes the package from there. Its documentation asks
// for Owner: it sets access control on what it makes.
resource functionsHost 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(functionsStorage.id, principalId, roles.storageBlobDataOwner)
  scope: functionsStorage
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.storageBlobDataOwner)
  }
}

// Streaming hosts publish live updates; requests make the tokens with which dashboards watch them.
resource liveUpdates 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(webPubSub.id, principalId, roles.webPubSubServiceOwner)
  scope: webPubSub
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.webPubSubServiceOwner)
  }
}

// The apps read what the operator has set.
resource settings 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(configuration.id, principalId, roles.appConfigurationDataReader)
  scope: configuration
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.appConfigurationDataReader)
  }
}

// The apps follow the references that App Configuration has to secrets.
resource secrets 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(vault.id, principalId, roles.keyVaultSecretsUser)
  scope: vault
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.keyVaultSecretsUser)
  }
}

// Container Apps takes the streaming host's image with the identity.
resource image 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(registry.id, principalId, roles.acrPull)
  scope: registry
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.acrPull)
  }
}

// The apps send telemetry, which is accepted from known identities only.
resource telemetry 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(insights.id, principalId, roles.monitoringMetricsPublisher)
  scope: insights
  properties: {
    principalId: principalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.monitoringMetricsPublisher)
  }
}

// The deployer creates the webhook's secret …
resource deployerSecrets 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (!empty(deployerId)) {
  name: guid(vault.id, deployerId, roles.keyVaultSecretsOfficer)
  scope: vault
  properties: {
    principalId: deployerId
    principalType: deployerType
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.keyVaultSecretsOfficer)
  }
}

// … and tells the apps where it is.
resource deployerSettings 'Microsoft.Authorization/roleAssignments@2022-04-01' = if (!empty(deployerId)) {
  name: guid(configuration.id, deployerId, roles.appConfigurationDataOwner)
  scope: configuration
  properties: {
    principalId: deployerId
    principalType: deployerType
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', roles.appConfigurationDataOwner)
  }
}
