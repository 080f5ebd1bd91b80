// Settings that an operator changes while the service runs: they go over the apps' own settings. Entra only.

param name string
param location string
param tags object
param sku 'developer' | 'standard'
param publicNetworkAccess 'Enabled' | 'Disabled'

resource store 'Microsoft.AppConfiguration/configurationStores@2024-05-01' = {
  name: name
  location: location
  tags: tags
  sku: {
    name: sku
  }
  properties: {
    disableLocalAuth: true
    publicNetworkAccess: publicNetworkAccess
  }
}

output id string = store.id
output name string = store.name
output endpoint string = store.properties.endpoint
