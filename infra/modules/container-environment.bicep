// Where the streaming hosts run. They themselves are made when their image exists: streaming-host.bicep.

param name string
param location string
param tags object
param workspaceId string

@description('Subnet of the replicas; empty without private networking.')
param subnetId string

resource environment 'Microsoft.App/managedEnvironments@2025-01-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    appLogsConfiguration: {
      // By a diagnostic setting, below: the other way wants the workspace's key.
      destination: 'azure-monitor'
    }
    vnetConfiguration: empty(subnetId) ? null : { infrastructureSubnetId: subnetId, internal: false }
    workloadProfiles: [
      {
        name: 'Consumption'
        workloadProfileType: 'Consumption'
      }
    ]
  }
}

resource logs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: environment
  properties: {
    workspaceId: workspaceId
    logs: [
      {
        categoryGroup: 'allLogs'
        enabled: true
      }
    ]
  }
}

output id string = environment.id
output domain string = environment.properties.defaultDomain
