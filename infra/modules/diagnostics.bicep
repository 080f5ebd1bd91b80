// What Azure's services write down themselves goes to the workspace: who reached them, what they refused, what failed. The daily cap
// of the workspace bounds what that costs. The topic of incoming calls is in incoming-calls.bicep, as it is made later.

param workspaceId string

param aiName string
param archiveName string
param communicationName string
param configurationName string
param containerEnvironmentName string
param frontDoorName string
param functionsName string
param functionsStorageName string
param recordingsStorageName string
param redisName string
param registryName string
param vaultName string
param webPubSubName string

var everything = [
  {
    categoryGroup: 'allLogs'
    enabled: true
  }
]

resource ai 'Microsoft.CognitiveServices/accounts@2025-06-01' existing = {
  name: aiName
}

resource archive 'Microsoft.DocumentDB/databaseAccounts@2024-11-15' existing = {
  name: archiveName
}

resource communication 'Microsoft.Communication/communicationServices@2025-09-01' existing = {
  name: communicationName
}

resource configuration 'Microsoft.AppConfiguration/configurationStores@2024-05-01' existing = {
  name: configurationName
}

resource containers 'Microsoft.App/managedEnvironments@2025-01-01' existing = {
  name: containerEnvironmentName
}

resource frontDoor 'Microsoft.Cdn/profiles@2024-09-01' existing = {
  name: frontDoorName
}

resource functions 'Microsoft.Web/sites@2024-11-01' existing = {
  name: functionsName
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

resource redis 'Microsoft.Cache/redisEnterprise@2025-07-01' existing = {
  name: redisName
}

// Connections are the database's to write down, not the cluster's.
resource redisDatabase 'Microsoft.Cache/redisEnterprise/databases@2025-07-01' existing = {
  parent: redis
  name: 'default'
}

resource functionsStorage 'Microsoft.Storage/storageAccounts@2024-01-01' existing = {
  name: functionsStorageName
}

resource functionsBlobs 'Microsoft.Storage/storageAccounts/blobServices@2024-01-01' existing = {
  parent: functionsStorage
  name: 'default'
}

resource recordingsStorage 'Microsoft.Storage/storageAccounts@2024-01-01' existing = {
  name: recordingsStorageName
}

resource recordingsBlobs 'Microsoft.Storage/storageAccounts/blobServices@2024-01-01' existing = {
  parent: recordingsStorage
  name: 'default'
}

resource aiLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: ai
  properties: {
    workspaceId: workspaceId
    logs: everything
  }
}

resource archiveLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: archive
  properties: {
    workspaceId: workspaceId
    logs: everything
  }
}

resource communicationLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: communication
  properties: {
    workspaceId: workspaceId
    logs: everything
  }
}

resource configurationLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: configuration
  properties: {
    workspaceId: workspaceId
    logs: everything
  }
}

resource containersLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: containers
  properties: {
    workspaceId: workspaceId
    logs: everything
  }
}

resource frontDoorLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: frontDoor
  properties: {
    workspaceId: workspaceId
    logs: everything
  }
}

resource functionsLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: functions
  properties: {
    workspaceId: workspaceId
    logs: everything
  }
}

resource registryLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: registry
  properties: {
    workspaceId: workspaceId
    logs: everything
  }
}

resource vaultLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: vault
  properties: {
    workspaceId: workspaceId
    logs: everything
  }
}

resource webPubSubLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: webPubSub
  properties: {
    workspaceId: workspaceId
    logs: everything
  }
}

resource redisLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: redisDatabase
  properties: {
    workspaceId: workspaceId
    logs: everything
  }
}

resource functionsStorageLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: functionsBlobs
  properties: {
    workspaceId: workspaceId
    logs: everything
  }
}

resource recordingsStorageLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: recordingsBlobs
  properties: {
    workspaceId: workspaceId
    logs: everything
  }
}
