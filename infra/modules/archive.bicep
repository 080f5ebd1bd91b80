// Where ended conversations are kept. The container's name and key are those of shared/src/archive/cosmos-archive.ts.

param name string
param location string
param tags object

@description('Requests in a second at most; 0 is serverless.')
param throughput int

@description('Days for which a conversation is kept.')
param keepDays int

@description('Object id of the identity that both apps use.')
param principalId string

@description('Whether its copies are spread over the zones of the region.')
param zoneRedundant bool

param publicNetworkAccess 'Enabled' | 'Disabled'

var isServerless = throughput == 0
var secondsPerDay = 86400

resource account 'Microsoft.DocumentDB/databaseAccounts@2024-11-15' = {
  name: name
  location: location
  tags: tags
  kind: 'GlobalDocumentDB'
  properties: {
    databaseAccountOfferType: 'Standard'
    locations: [
      {
        locationName: location
        failoverPriority: 0
        isZoneRedundant: zoneRedundant
      }
    ]
    capabilities: isServerless ? [{ name: 'EnableServerless' }] : []
    consistencyPolicy: {
      defaultConsistencyLevel: 'Session'
    }
    disableLocalAuth: true
    minimalTlsVersion: 'Tls12'
    publicNetworkAccess: publicNetworkAccess
  }
}

resource database 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases@2024-11-15' = {
  parent: account
  name: 'voice'
  properties: {
    resource: {
      id: 'voice'
    }
  }
}

resource conversations 'Microsoft.DocumentDB/databaseAccounts/sqlDatabases/containers@2024-11-15' = {
  parent: database
  name: 'conversations'
  properties: {
    resource: {
      id: 'conversations'
      partitionKey: {
        kind: 'Hash'
        version: 2
        paths: [
          '/session_id'
        ]
      }
      defaultTtl: keepDays * secondsPerDay
    }
    options: isServerless ? {} : { autoscaleSettings: { maxThroughput: throughput } }
  }
}

// Cosmos DB Built-in Data Contributor. A streaming host writes documents and a request deletes them; neither makes containers.
// It is a role of the account's own, not one of Azure's, so it is not in roles.bicep.
resource dataAccess 'Microsoft.DocumentDB/databaseAccounts/sqlRoleAssignments@2024-11-15' = {
  parent: account
  name: guid(account.id, principalId, 'data-contributor')
  properties: {
    principalId: principalId
    roleDefinitionId: '${account.id}/sqlRoleDefinitions/00000000-0000-0000-0000-000000000002'
    scope: '${account.id}/dbs/${database.name}'
  }
}

output id string = account.id
output name string = account.name
output endpoint string = account.properties.documentEndpoint
output databaseName string = database.name
