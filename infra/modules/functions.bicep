// The control plane: a Functions app on the Flex Consumption plan. Only Front Door can reach it.

param name string
param location string
param tags object

@description('Resource id and client id of the identity that both apps use.')
param identity { id: string, clientId: string }

@description('The account for the package and for the Functions host itself.')
param storage { name: string, blobEndpoint: string, packageContainer: string }

param alwaysReady int
param maxInstances int

@description('What a deployment does with the instances that run: see VOICE_FUNCTIONS_UPDATE in docs/deployment.md.')
param updateStrategy 'Recreate' | 'RollingUpdate'

@description('Id that Front Door sends with each request: the service tag alone would let in everybody’s Front Door.')
param frontDoorId string

@description('Subnet for outgoing traffic; empty without private networking.')
param subnetId string

@description('Whether Front Door comes by a private link: nobody reaches the app from the internet then.')
param privateOrigin bool

@description('Whether instances are spread over the zones of the region.')
param zoneRedundant bool

@description('The settings of docs/settings.md, by name.')
param settings { *: string }

// What the platform itself wants to know; the product does not read these.
var platformSettings = {
  AzureWebJobsStorage__accountName: storage.name
  AzureWebJobsStorage__credential: 'managedidentity'
  AzureWebJobsStorage__clientId: identity.clientId
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'ClientId=${identity.clientId};Authorization=AAD'
}

var fromFrontDoor = [
  {
    name: 'front-door'
    priority: 100
    action: 'Allow'
    tag: 'ServiceTag'
    ipAddress: 'AzureFrontDoor.Backend'
    headers: {
      'x-azure-fdid': [
        frontDoorId
      ]
    }
  }
]

resource plan 'Microsoft.Web/serverfarms@2024-11-01' = {
  name: 'plan-${name}'
  location: location
  tags: tags
  kind: 'functionapp'
  sku: {
    name: 'FC1'
    tier: 'FlexConsumption'
  }
  properties: {
    reserved: true
    zoneRedundant: zoneRedundant
  }
}

resource app 'Microsoft.Web/sites@2024-11-01' = {
  name: name
  location: location
  tags: union(tags, { 'azd-service-name': 'functions' })
  kind: 'functionapp,linux'
  identity: {
    type: 'UserAssigned'
    userAssignedIdentities: {
      '${identity.id}': {}
    }
  }
  properties: {
    serverFarmId: plan.id
    httpsOnly: true
    // With a private link and nothing said, Azure closes the way by which azd deploys, too. The rules below let nobody else in.
    publicNetworkAccess: privateOrigin ? 'Enabled' : null
    virtualNetworkSubnetId: empty(subnetId) ? null : subnetId
    keyVaultReferenceIdentity: identity.id
    functionAppConfig: {
      deployment: {
        storage: {
          type: 'blobContainer'
          value: '${storage.blobEndpoint}${storage.packageContainer}'
          authentication: {
            type: 'UserAssignedIdentity'
            userAssignedIdentityResourceId: identity.id
          }
        }
      }
      runtime: {
        name: 'node'
        version: '24'
      }
      scaleAndConcurrency: {
        instanceMemoryMB: 2048
        maximumInstanceCount: maxInstances
        alwaysReady: alwaysReady == 0 ? [] : [{ name: 'http', instanceCount: alwaysReady }]
      }
      // Nothing for the plan's default: the other is a preview that not every region has.
      #disable-next-line BCP037 // Azure's published types do not have it yet
      siteUpdateStrategy: updateStrategy == 'Recreate' ? null : { type: updateStrategy }
    }
    // The plan refuses most of a site's properties, also those that would only say how it is, such as ftpsState.
    siteConfig: {
      minTlsVersion: '1.2'
      scmMinTlsVersion: '1.2'
      appSettings: map(items(union(platformSettings, settings)), setting => { name: setting.key, value: setting.value })
      ipSecurityRestrictionsDefaultAction: 'Deny'
      // These rules are not asked about what comes by a private link.
      ipSecurityRestrictions: privateOrigin ? [] : fromFrontDoor
      // Deployments come from wherever azd runs, with a token of Entra.
      scmIpSecurityRestrictionsUseMain: false
      scmIpSecurityRestrictionsDefaultAction: 'Allow'
    }
  }
}

// Publishing by user name and password, off on both ways in.
resource ftpPublishing 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2024-11-01' = {
  parent: app
  name: 'ftp'
  properties: {
    allow: false
  }
}

resource scmPublishing 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2024-11-01' = {
  parent: app
  name: 'scm'
  properties: {
    allow: false
  }
}

output id string = app.id
output name string = app.name
output hostName string = app.properties.defaultHostName
