// The network of an environment with private networking: a subnet for each app and one for private endpoints.
// The apps stay reachable from outside, as phone networks and browsers must reach them; what is behind them does not.

param name string
param location string
param tags object

@description('Two /23 and a /24 are taken from it.')
param addressPrefix string

// Both kinds of app are Container Apps underneath, and their subnets belong to it.
var delegation = [
  {
    name: 'apps'
    properties: {
      serviceName: 'Microsoft.App/environments'
    }
  }
]

resource network 'Microsoft.Network/virtualNetworks@2024-05-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    addressSpace: {
      addressPrefixes: [
        addressPrefix
      ]
    }
    subnets: [
      {
        name: 'streaming-hosts'
        properties: {
          addressPrefix: cidrSubnet(addressPrefix, 23, 0)
          delegations: delegation
        }
      }
      {
        name: 'functions'
        properties: {
          addressPrefix: cidrSubnet(addressPrefix, 23, 1)
          delegations: delegation
        }
      }
      {
        name: 'private-endpoints'
        properties: {
          addressPrefix: cidrSubnet(addressPrefix, 24, 4)
          privateEndpointNetworkPolicies: 'Disabled'
        }
      }
    ]
  }
}

output id string = network.id
output streamingHostsSubnetId string = '${network.id}/subnets/streaming-hosts'
output functionsSubnetId string = '${network.id}/subnets/functions'
output privateEndpointsSubnetId string = '${network.id}/subnets/private-endpoints'
