// Live updates for dashboards that watch many conversations. Entra only.

param name string
param location string
param tags object
param sku 'Free_F1' | 'Standard_S1'

@description('Whether the apps reach it from the internet. Dashboards do in any case.')
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
    publicNetworkAccess: 'Enabled'
    // Browsers are told to connect to it (POST /api/v1/realtime/dashboard/negotiate), and only with a token that the API gave
    // them. What the apps ask of it comes through the private endpoint, which denies nothing.
    networkACLs: publicNetworkAccess == 'Enabled' ? null : {
      defaultAction: 'Allow'
      publicNetwork: {
        deny: ['RESTAPI', 'ServerConnection', 'Trace']
      }
    }
  }
}

output id string = webPubSub.id
output name string = webPubSub.name
output endpoint string = 'https://${webPubSub.properties.hostName}'
