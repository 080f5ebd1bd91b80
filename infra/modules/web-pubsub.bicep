// Live updates for dashboards that watch many conversations. Entra only.

param name string
param location string
param tags object
param sku 'Free_F1' | 'Standard_S1'
param publicNetworkAccess 'Enabled' | 'Disabled'

resource webPubSub 'Microsoft.SignalRService/webPubSub@2024-03-01' = {
  name: name
  location: location
  tags: tags
  sku: {
    name: sku
    capacity: 1
  }
  properties: {
    disableLocalAuth: true
    publicNetworkAccess: publicNetworkAccess
  }
}

output id string = webPubSub.id
output name string = webPubSub.name
output endpoint string = 'https://${webPubSub.properties.hostName}'
