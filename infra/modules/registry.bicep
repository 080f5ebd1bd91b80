// Where the streaming host's image is. azd builds it there, so that nobody needs a container engine.

param name string
param location string
param tags object
param sku 'Basic' | 'Standard'

resource registry 'Microsoft.ContainerRegistry/registries@2025-04-01' = {
  name: name
  location: location
  tags: tags
  sku: {
    name: sku
  }
  properties: {
    adminUserEnabled: false
    anonymousPullEnabled: false
  }
}

output name string = registry.name
output loginServer string = registry.properties.loginServer
