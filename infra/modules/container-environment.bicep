// Where the streaming hosts run. They themselves are made when their image exists: streaming-host.bicep.

param name string
param location string
param tags object

@description('Subnet of the replicas; empty without a network.')
param subnetId string

@description('Whether replicas are spread over the zones of the region, which wants a subnet. Neither can be changed later.')
param zoneRedundant bool

resource environment 'Microsoft.App/managedEnvironments@2025-01-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    appLogsConfiguration: {
      // By a diagnostic setting (diagnostics.bicep): the other way wants the workspace's key.
      destination: 'azure-monitor'
    }
    zoneRedundant: zoneRedundant
    vnetConfiguration: empty(subnetId) ? null : { infrastructureSubnetId: subnetId, internal: false }
    workloadProfiles: [
      {
        name: 'Consumption'
        workloadProfileType: 'Consumption'
      }
    ]
  }
}

output id string = environment.id
output name string = environment.name
output domain string = environment.properties.defaultDomain
