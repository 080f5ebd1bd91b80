// Speech, language models and Voice Live: one AI Services resource, Entra only.
// Voice Live brings its own models and needs no deployment.

param name string
param location string
param tags object

@description('What agents use that do not name a deployment.')
param model {
  name: string
  version: string
  @description('Thousands of tokens a minute.')
  capacity: int
}

resource account 'Microsoft.CognitiveServices/accounts@2025-06-01' = {
  name: name
  location: location
  tags: tags
  kind: 'AIServices'
  sku: {
    name: 'S0'
  }
  identity: {
    type: 'SystemAssigned'
  }
  properties: {
    // Tokens of Entra are accepted on a domain of its own only.
    customSubDomainName: name
    disableLocalAuth: true
    // Stays public with private networking too: the regional speech hosts do not go through a private endpoint.
    publicNetworkAccess: 'Enabled'
  }
}

resource deployment 'Microsoft.CognitiveServices/accounts/deployments@2025-06-01' = {
  parent: account
  name: model.name
  sku: {
    name: 'GlobalStandard'
    capacity: model.capacity
  }
  properties: {
    model: {
      format: 'OpenAI'
      name: model.name
      version: model.version
    }
    versionUpgradeOption: 'OnceCurrentVersionExpired'
  }
}

output id string = account.id
output name string = account.name
output region string = account.location
output endpoint string = 'https://${name}.cognitiveservices.azure.com'
output voiceLiveEndpoint string = 'https://${name}.services.ai.azure.com'
output deploymentName string = deployment.name
