// The one public address. Where it leads is in front-door-routes.bicep: the apps want to know the address before they exist.

param name string
param tags object
param sku 'Standard' | 'Premium'

resource profile 'Microsoft.Cdn/profiles@2024-09-01' = {
  name: name
  // The service has no region.
  #disable-next-line no-hardcoded-location
  location: 'global'
  tags: tags
  sku: {
    name: '${sku}_AzureFrontDoor'
  }
  properties: {
    // The longest it allows. Requests end long before; it is the wait for an answer to an upgrade, too.
    originResponseTimeoutSeconds: 240
  }
}

resource endpoint 'Microsoft.Cdn/profiles/afdEndpoints@2024-09-01' = {
  parent: profile
  name: name
  #disable-next-line no-hardcoded-location
  location: 'global'
  properties: {
    enabledState: 'Enabled'
  }
}

output profileName string = profile.name
output endpointName string = endpoint.name
output frontDoorId string = profile.properties.frontDoorId
output hostName string = endpoint.properties.hostName
