// Everything the service needs in Azure, but the streaming hosts and the delivery of calls: those are made once the image
// and the apps are there (streaming-host.bicep, incoming-calls.bicep). azure.yaml says in which order.

targetScope = 'subscription'

import { development, production, tokensOfCallMinute } from 'sizes.bicep'

@minLength(1)
@maxLength(40)
param environmentName string

@minLength(1)
param location string

@description('How large, and whether local parts may stand in for services that are not there.')
param size 'development' | 'production'

@description('Puts the services behind private addresses. The apps themselves stay reachable. Run azd from inside the network then.')
param privateNetworking bool

@description('The network’s addresses, where there is one.')
param addressPrefix string = '10.60.0.0/20'

@description('How Redis spreads its keys.')
param redisClusteringPolicy 'EnterpriseCluster' | 'NoCluster' | 'OSSCluster'

@description('Recreate: a deployment stops all instances of the functions app at once. RollingUpdate: one after the other.')
param functionsUpdate 'Recreate' | 'RollingUpdate' = 'Recreate'

@description('Where the communication service keeps its data.')
param communicationDataLocation string

@description('The number that was bought; empty until then.')
param phoneNumber string

@description('The language model of agents that name none.')
param modelName string

param modelVersion string

@description('Thousands of tokens of it a minute; 0 is what the size’s calls need.')
param modelCapacityGranted int

@description('The model that answers when the other one fails, or its quota is used up: empty is the same model, and none is no fallback.')
param fallbackModelName string

@description('Empty is that of the other one.')
param fallbackModelVersion string

@description('How the fallback is deployed. Another kind than GlobalStandard, so that it has a quota of its own.')
param fallbackSku string

@description('Thousands of tokens of it a minute; 0 is what the size says.')
param fallbackCapacityGranted int

@description('The realtime model of Voice Live.')
param voiceLiveModel string

@description('The API’s app registration in Entra; empty leaves the API open, which production refuses.')
param apiClientId string

@description('Applications that may call the API, separated by commas.')
param allowedClientIds string

@description('The console’s app registration in Entra, a single-page application; without it nobody can sign in to a protected service.')
param signInClientId string

@description('Your agents and tools: folders below `own`, and the scenario that begins. Empty: there are none.')
param catalogDir string
param toolsDir string
param agentScenario string

@description('Whether the demonstration’s made-up agents answer, too. In the size development they do while there is no catalogDir.')
param demoEnabled bool

@description('Further settings of both apps, by their names in docs/settings.md. Those that the templates know better are not changed by it.')
param given { *: string }

@description('The app role of clients that may place phone calls, where the API is not open.')
param callRole string

@description('Where calls may go, as CALL_ALLOWED_DESTINATIONS has it; nowhere where it is empty.')
param callDestinations string

@description('The app role of clients that may make agents and scenarios, where the API is not open; empty is every client.')
param agentRole string

@description('The app role of operators that may publish agents and scenarios for everybody, where the API is not open; empty is every operator.')
param publishRole string

@description('Days after which recordings are deleted; 0 keeps them.')
param recordingDays int

@description('Days after which archived conversations are deleted.')
param archiveDays int

@description('Days for which nobody can change or delete audit records; 0 archives none.')
param auditDays int

@description('What the environment may cost in a month, in the currency of the subscription, before people are told; 0 is no budget.')
param monthlyBudget int

@description('The first day of the month in which the budget begins.')
param budgetStart string = utcNow('yyyy-MM-01')

@description('Standard or Premium; empty is that of the size.')
param frontDoorSku '' | 'Standard' | 'Premium'

@description('A name of your own for the address, such as voice.example.com; empty is the name that Front Door gives.')
param domain string

@description('Requests that one address may make in a minute at Front Door.')
param requestsPerMinute int

@description('Front Door comes to the functions app by a private link, and nobody else does. Wants Premium.')
param privateOrigins bool

@description('Spreads a size that has it over the zones of the region; false for a region without zones.')
param zoneRedundancy bool

@description('Who is told of alerts; empty leaves them in the portal.')
param alertEmail string

@description('Object id of the user or service principal that deploys, which writes the generated secret.')
param deployerId string

param deployerType 'User' | 'ServicePrincipal'

// The free Web PubSub has no private address.
var chosen = size == 'production' ? production : (privateNetworking ? fail('privateNetworking wants the size production.') : development)
var chosenFrontDoor = frontDoorSku == '' ? chosen.frontDoorSku : (frontDoorSku == 'Premium' ? 'Premium' : 'Standard')
var frontDoorTier = privateOrigins && chosenFrontDoor != 'Premium' ? fail('privateOrigins wants frontDoorSku Premium.') : chosenFrontDoor
var zoneRedundant = chosen.zoneRedundant && zoneRedundancy
// Container Apps spreads replicas over zones only in a network. That by itself costs nothing.
var hasNetwork = privateNetworking || zoneRedundant
var fallbackCalls = fallbackModelName == 'none' ? 0 : chosen.fallbackCalls
// In thousands of tokens a minute, rounded up: whole numbers are divided, and the rest would be calls that are refused.
var modelCapacity = modelCapacityGranted == 0 ? (chosen.calls * tokensOfCallMinute + 999) / 1000 : modelCapacityGranted
var fallbackCapacity = fallbackCalls == 0 || fallbackCapacityGranted == 0 ? (fallbackCalls * tokensOfCallMinute + 999) / 1000 : fallbackCapacityGranted
var agentsOf = size == 'production' && empty(catalogDir) && !demoEnabled ? fail('production wants catalogDir: it has no agents of its own.') : catalogDir
var apiClient = size == 'production' && empty(apiClientId) ? fail('production wants apiClientId: its API is not open.') : apiClientId

var publicNetworkAccess = privateNetworking ? 'Disabled' : 'Enabled'
var token = uniqueString(subscription().id, environmentName, location)
var tags = { 'azd-env-name': environmentName }
var hostAppName = 'ca-streaming-host'
var packageContainer = 'packages'

resource group 'Microsoft.Resources/resourceGroups@2024-03-01' = {
  name: 'rg-${environmentName}'
  location: location
  tags: tags
}

module identity 'modules/identity.bicep' = {
  scope: group
  params: { name: 'id-${token}', location: location, tags: tags }
}

module monitoring 'modules/monitoring.bicep' = {
  scope: group
  params: { namePrefix: token, location: location, tags: tags, retentionDays: chosen.logRetentionDays, gigabytesPerDay: chosen.logGigabytesPerDay }
}

module alerts 'modules/alerts.bicep' = {
  scope: group
  params: {
    namePrefix: token
    location: location
    tags: tags
    insightsName: monitoring.outputs.insightsName
    alertEmail: alertEmail
  }
}

module network 'modules/network.bicep' = if (hasNetwork) {
  scope: group
  params: { name: 'vnet-${token}', location: location, tags: tags, addressPrefix: addressPrefix }
}

module redis 'modules/redis.bicep' = {
  scope: group
  params: {
    name: 'redis-${token}'
    location: location
    tags: tags
    sku: chosen.redis.sku
    highAvailability: chosen.redis.highAvailability
    clusteringPolicy: redisClusteringPolicy
    principalId: identity.outputs.principalId
    publicNetworkAccess: publicNetworkAccess
  }
}

module communication 'modules/communication.bicep' = {
  scope: group
  params: { name: 'acs-${token}', tags: tags, dataLocation: communicationDataLocation }
}

module ai 'modules/ai.bicep' = {
  scope: group
  params: {
    name: 'ai-${token}'
    location: location
    tags: tags
    model: {
      name: modelName
      version: modelVersion
      capacity: modelCapacity
    }
    fallback: {
      name: empty(fallbackModelName) ? modelName : fallbackModelName
      version: empty(fallbackModelVersion) ? modelVersion : fallbackModelVersion
      sku: fallbackSku
      capacity: fallbackCapacity
    }
  }
}

module webPubSub 'modules/web-pubsub.bicep' = {
  scope: group
  params: {
    name: 'wps-${token}'
    location: location
    tags: tags
    sku: chosen.webPubSubSku
    publicNetworkAccess: publicNetworkAccess
  }
}

module configuration 'modules/configuration.bicep' = {
  scope: group
  params: {
    name: 'appcs-${token}'
    location: location
    tags: tags
    sku: chosen.configurationSku
    publicNetworkAccess: publicNetworkAccess
  }
}

module secrets 'modules/secrets.bicep' = {
  scope: group
  params: {
    name: 'kv-${token}'
    location: location
    tags: tags
    purgeProtection: chosen.purgeProtection
    publicNetworkAccess: publicNetworkAccess
  }
}

module functionsStorage 'modules/storage.bicep' = {
  scope: group
  params: {
    name: 'stfn${token}'
    location: location
    tags: tags
    containers: [packageContainer]
    deleteAfterDays: 0
    auditDays: 0
    publicNetworkAccess: publicNetworkAccess
  }
}

module recordings 'modules/storage.bicep' = {
  scope: group
  params: {
    name: 'strec${token}'
    location: location
    tags: tags
    containers: ['recordings']
    deleteAfterDays: recordingDays
    auditDays: auditDays
    publicNetworkAccess: publicNetworkAccess
  }
}

module archive 'modules/archive.bicep' = {
  scope: group
  params: {
    name: 'cosmos-${token}'
    location: location
    tags: tags
    throughput: chosen.archiveThroughput
    keepDays: archiveDays
    zoneRedundant: zoneRedundant
    principalId: identity.outputs.principalId
    publicNetworkAccess: publicNetworkAccess
  }
}

module registry 'modules/registry.bicep' = {
  scope: group
  params: { name: 'cr${token}', location: location, tags: tags, sku: chosen.registrySku }
}

module containerEnvironment 'modules/container-environment.bicep' = {
  scope: group
  params: {
    name: 'cae-${token}'
    location: location
    tags: tags
    subnetId: network.?outputs.streamingHostsSubnetId ?? ''
    zoneRedundant: zoneRedundant
  }
}

module roles 'modules/roles.bicep' = {
  scope: group
  params: {
    principalId: identity.outputs.principalId
    communicationPrincipalId: communication.outputs.principalId
    deployerId: deployerId
    deployerType: deployerType
    aiName: ai.outputs.name
    communicationName: communication.outputs.name
    configurationName: configuration.outputs.name
    functionsStorageName: functionsStorage.outputs.name
    insightsName: monitoring.outputs.insightsName
    recordingsStorageName: recordings.outputs.name
    registryName: registry.outputs.name
    vaultName: secrets.outputs.name
    webPubSubName: webPubSub.outputs.name
  }
}

var privateZones = {
  archive: 'privatelink.documents.azure.com'
  blobs: 'privatelink.blob.${environment().suffixes.storage}'
  configuration: 'privatelink.azconfig.io'
  redis: 'privatelink.redis.azure.net'
  secrets: 'privatelink.vaultcore.azure.net'
  webPubSub: 'privatelink.webpubsub.azure.com'
}

module privateEndpoints 'modules/private-endpoints.bicep' = if (privateNetworking) {
  scope: group
  params: {
    location: location
    tags: tags
    networkId: network.?outputs.id ?? ''
    subnetId: network.?outputs.privateEndpointsSubnetId ?? ''
    zoneNames: map(items(privateZones), zone => zone.value)
    targets: [
      { name: 'redis', id: redis.outputs.id, part: 'redisEnterprise', zone: privateZones.redis }
      { name: 'archive', id: archive.outputs.id, part: 'Sql', zone: privateZones.archive }
      { name: 'secrets', id: secrets.outputs.id, part: 'vault', zone: privateZones.secrets }
      { name: 'configuration', id: configuration.outputs.id, part: 'configurationStores', zone: privateZones.configuration }
      { name: 'web-pubsub', id: webPubSub.outputs.id, part: 'webpubsub', zone: privateZones.webPubSub }
      { name: 'functions-storage', id: functionsStorage.outputs.id, part: 'blob', zone: privateZones.blobs }
      { name: 'recordings', id: recordings.outputs.id, part: 'blob', zone: privateZones.blobs }
    ]
  }
}

module frontDoor 'modules/front-door.bicep' = {
  scope: group
  params: { name: 'voice-${token}', tags: tags, sku: frontDoorTier, domain: domain }
}

var baseUrl = 'https://${frontDoor.outputs.hostName}'
var streamingHostName = '${hostAppName}.${containerEnvironment.outputs.domain}'

module settings 'modules/app-settings.bicep' = {
  scope: group
  params: {
    environment: chosen.environment
    baseUrl: baseUrl
    streamingHostUrl: 'wss://${streamingHostName}'
    identity: { clientId: identity.outputs.clientId, principalId: identity.outputs.principalId }
    ai: {
      id: ai.outputs.id
      region: ai.outputs.region
      endpoint: ai.outputs.endpoint
      voiceLiveEndpoint: ai.outputs.voiceLiveEndpoint
      deploymentName: ai.outputs.deploymentName
      fallbackDeploymentName: ai.outputs.fallbackDeploymentName
      voiceLiveModel: voiceLiveModel
    }
    communication: {
      endpoint: communication.outputs.endpoint
      immutableId: communication.outputs.immutableId
      phoneNumber: phoneNumber
    }
    redis: { hostName: redis.outputs.hostName, port: redis.outputs.port }
    archive: { endpoint: archive.outputs.endpoint, databaseName: archive.outputs.databaseName }
    recordingsEndpoint: recordings.outputs.blobEndpoint
    auditContainer: auditDays == 0 ? '' : 'audit'
    webPubSubEndpoint: webPubSub.outputs.endpoint
    configurationEndpoint: configuration.outputs.endpoint
    insightsConnectionString: monitoring.outputs.insightsConnectionString
    authentication: { clientId: apiClient, allowedClientIds: allowedClientIds, signInClientId: signInClientId }
    agents: { catalogDir: agentsOf, toolsDir: toolsDir, scenario: agentScenario, demo: demoEnabled }
    given: given
    placing: { role: callRole, allowedDestinations: callDestinations }
    agentRole: agentRole
    publishRole: publishRole
    maxSessions: chosen.hosts.maxSessions
  }
}

module functions 'modules/functions.bicep' = {
  scope: group
  params: {
    name: 'func-${token}'
    location: location
    tags: tags
    identity: { id: identity.outputs.id, clientId: identity.outputs.clientId }
    storage: {
      name: functionsStorage.outputs.name
      blobEndpoint: functionsStorage.outputs.blobEndpoint
      packageContainer: packageContainer
    }
    alwaysReady: chosen.functions.alwaysReady
    maxInstances: chosen.functions.maxInstances
    updateStrategy: functionsUpdate
    frontDoorId: frontDoor.outputs.frontDoorId
    subnetId: privateNetworking ? network.?outputs.functionsSubnetId ?? '' : ''
    privateOrigin: privateOrigins
    zoneRedundant: zoneRedundant
    settings: settings.outputs.functions
  }
  // The app wants its storage at once, and a role takes a while to be known everywhere.
  dependsOn: [roles]
}

module routes 'modules/front-door-routes.bicep' = {
  scope: group
  params: {
    profileName: frontDoor.outputs.profileName
    endpointName: frontDoor.outputs.endpointName
    functionsHostName: functions.outputs.hostName
    streamingHostName: streamingHostName
    functionsLinkId: privateOrigins ? functions.outputs.id : ''
    location: location
    ownDomainId: frontDoor.outputs.ownDomainId
    socketPaths: [
      '/api/v1/browser/conversation'
      '/api/v1/browser/dashboard/relay'
      '/api/v1/realtime/conversation'
      '/api/v1/realtime/listen'
      '/api/v1/realtime/tools'
      '/api/v1/realtime/dashboard/relay'
      '/api/v1/media/stream'
      '/api/v1/twilio/stream/*'
      '/api/v1/telephony/stream'
      '/api/v1/telephony/stream/*'
      '/v1/media/stream/*'
    ]
    pagePaths: [
      '/'
      '/index.html'
      '/favicon.svg'
      '/assets/*'
      '/voice-agent.js'
      '/voice-agent-worklets.js'
    ]
  }
}

module firewall 'modules/firewall.bicep' = {
  scope: group
  params: {
    name: 'waf${token}'
    tags: tags
    profileName: frontDoor.outputs.profileName
    endpointName: frontDoor.outputs.endpointName
    sku: frontDoorTier
    requestsPerMinute: requestsPerMinute
    ownDomainId: frontDoor.outputs.ownDomainId
  }
}

module resourceAlerts 'modules/resource-alerts.bicep' = {
  scope: group
  params: {
    namePrefix: token
    location: location
    tags: tags
    insightsName: monitoring.outputs.insightsName
    redisId: redis.outputs.id
    baseUrl: baseUrl
    actionGroupId: alerts.outputs.actionGroupId
  }
}

module diagnostics 'modules/diagnostics.bicep' = {
  scope: group
  params: {
    workspaceId: monitoring.outputs.workspaceId
    aiName: ai.outputs.name
    archiveName: archive.outputs.name
    communicationName: communication.outputs.name
    configurationName: configuration.outputs.name
    containerEnvironmentName: containerEnvironment.outputs.name
    frontDoorName: frontDoor.outputs.profileName
    functionsName: functions.outputs.name
    functionsStorageName: functionsStorage.outputs.name
    recordingsStorageName: recordings.outputs.name
    redisName: redis.outputs.name
    registryName: registry.outputs.name
    vaultName: secrets.outputs.name
    webPubSubName: webPubSub.outputs.name
  }
}

module budget 'modules/budget.bicep' = if (monthlyBudget > 0) {
  scope: group
  params: { name: 'budget-${token}', amount: monthlyBudget, startDate: budgetStart, alertEmail: alertEmail }
}

// What the next templates, the hooks and azd itself want to know.
output ACTION_GROUP_ID string = alerts.outputs.actionGroupId
output AZURE_RESOURCE_GROUP string = group.name
output AZURE_CONTAINER_REGISTRY_ENDPOINT string = registry.outputs.loginServer
output APP_CONFIGURATION_NAME string = configuration.outputs.name
output BASE_URL string = baseUrl
output COMMUNICATION_NAME string = communication.outputs.name
output CONTAINER_ENVIRONMENT_ID string = containerEnvironment.outputs.id
output DOMAIN_TARGET string = frontDoor.outputs.edgeHostName
output DOMAIN_VALIDATION string = frontDoor.outputs.ownDomainToken
output FRONT_DOOR_ID string = frontDoor.outputs.frontDoorId
output FUNCTIONS_ID string = functions.outputs.id
output IDENTITY_ID string = identity.outputs.id
output KEY_VAULT_NAME string = secrets.outputs.name
output LOG_WORKSPACE_ID string = monitoring.outputs.workspaceId
output RESOURCE_TAGS object = tags
output SERVICE_FUNCTIONS_NAME string = functions.outputs.name
output STREAMING_HOST_CPU string = chosen.hosts.cpu
output STREAMING_HOST_MAX_REPLICAS int = chosen.hosts.maxReplicas
output STREAMING_HOST_MEMORY string = chosen.hosts.memory
output STREAMING_HOST_MIN_REPLICAS int = chosen.hosts.minReplicas
output STREAMING_HOST_NAME string = hostAppName
output STREAMING_HOST_SESSIONS_PER_REPLICA int = chosen.hosts.sessionsPerReplica
output STREAMING_HOST_SETTINGS object = settings.outputs.streamingHosts
