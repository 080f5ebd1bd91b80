// The state of conversations, calls and hosts. Entra only: there are no access keys.

param name string
param location string
param tags object
param sku string
param highAvailability 'Enabled' | 'Disabled'

@description('How keys are spread. The apps ask the server which it is. With OSSCluster they reach each shard by itself, on the ports 8500 to 8599.')
param clusteringPolicy 'EnterpriseCluster' | 'NoCluster' | 'OSSCluster'

@description('Object id of the identity that both apps use; its name in Redis, too.')
param principalId string

param publicNetworkAccess 'Enabled' | 'Disabled'

resource cluster 'Microsoft.Cache/redisEnterprise@2025-07-01' = {
  name: name
  location: location
  tags: tags
  sku: {
    name: sku
  }
  properties: {
    highAvailability: highAvailability
    minimumTlsVersion: '1.2'
    publicNetworkAccess: publicNetworkAccess
  }
}

resource database 'Microsoft.Cache/redisEnterprise/databases@2025-07-01' = {
  parent: cluster
  name: 'default'
  properties: {
    accessKeysAuthentication: 'Disabled'
    clientProtocol: 'Encrypted'
    clusteringPolicy: clusteringPolicy
    // Every key has a time to live. To evict one earlier would lose a conversation without a word.
    evictionPolicy: 'NoEviction'
    persistence: {
      aofEnabled: true
      aofFrequency: '1s'
    }
    port: 10000
  }
}

// Redis has no roles of Azure in its data: an access policy takes their place. "default" may do everything with the data.
resource dataAccess 'Microsoft.Cache/redisEnterprise/databases/accessPolicyAssignments@2025-07-01' = {
  parent: database
  name: 'apps'
  properties: {
    accessPolicyName: 'default'
    user: {
      objectId: principalId
    }
  }
}

output id string = cluster.id
output name string = cluster.name
output hostName string = cluster.properties.hostName
output port int = database.properties.port
