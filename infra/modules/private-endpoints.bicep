// The services' addresses inside the network, and the DNS zones that make their usual names lead there.

param location string
param tags object
param networkId string
param subnetId string

@description('The services: a name for the endpoint, the resource, which part of it in Private Link’s words, and its zone.')
param targets { name: string, id: string, part: string, zone: string }[]

@description('The zones of the targets, each once: the two storage accounts share one. How many there are has to be known before anything is deployed.')
param zoneNames string[]

resource zone 'Microsoft.Network/privateDnsZones@2024-06-01' = [for zoneName in zoneNames: {
  name: zoneName
  #disable-next-line no-hardcoded-location
  location: 'global'
  tags: tags
}]

resource link 'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01' = [for (zoneName, i) in zoneNames: {
  parent: zone[i]
  name: 'network'
  #disable-next-line no-hardcoded-location
  location: 'global'
  tags: tags
  properties: {
    registrationEnabled: false
    virtualNetwork: {
      id: networkId
    }
  }
}]

resource endpoint 'Microsoft.Network/privateEndpoints@2024-05-01' = [for target in targets: {
  name: 'pe-${target.name}'
  location: location
  tags: tags
  properties: {
    subnet: {
      id: subnetId
    }
    privateLinkServiceConnections: [
      {
        name: target.name
        properties: {
          privateLinkServiceId: target.id
          groupIds: [
            target.part
          ]
        }
      }
    ]
  }
}]

resource names 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups@2024-05-01' = [for (target, i) in targets: {
  parent: endpoint[i]
  name: 'default'
  properties: {
    privateDnsZoneConfigs: [
      {
        name: target.name
        properties: {
          privateDnsZoneId: resourceId('Microsoft.Network/privateDnsZones', target.zone)
        }
      }
    ]
  }
  dependsOn: [
    zone
  ]
}]
