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

@description('What answers when the model refuses or fails before its first word, because its quota is used up for instance. It is no deployment where its capacity is 0.')
param fallback {
  name: string
  version: string
  @description('Each kind of deployment has a quota of its own.')
  sku: string
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

resource fallbackDeployment 'Microsoft.CognitiveServices/accounts/deployments@2025-06-01' = if (fallback.capacity > 0) {
  parent: account
  // Not the model's name, which the other deployment may have.
  name: 'fallback'
  sku: {
    name: fallback.sku
    capacity: fallback.capacity
  }
  properties: {
    model: {
      format: 'OpenAI'
      name: fallback.name
      version: fallback.version
    }
    versionUpgradeOption: 'OnceCurrentVersionExpired'
  }
  // The account makes one deployment at a time and refuses a second one meanwhile.
  dependsOn: [
    deployment
  ]
}

output id string = account.id
output name string = account.name
output region string = account.location
output endpoint string = 'https://${name}.cognitiveservices.azure.com'
output voiceLiveEndpoint string = 'https://${name}.services.ai.azure.com'
output deploymentName string = deployment.name
output fallbackDeploymentName string = fallback.capacity > 0 ? 'fallback' : ''
