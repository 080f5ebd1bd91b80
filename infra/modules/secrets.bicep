// The few secrets that are not Azure's to replace by an identity: the webhook's, and the telephony platform's.
// No template writes one: a script or a person does, and App Configuration refers to them.

param name string
param location string
param tags object
param purgeProtection bool
param publicNetworkAccess 'Enabled' | 'Disabled'

resource vault 'Microsoft.KeyVault/vaults@2023-07-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    tenantId: tenant().tenantId
    sku: {
      family: 'A'
      name: 'standard'
    }
    enableRbacAuthorization: true
    enableSoftDelete: true
    // Off can only be said by not saying anything.
    enablePurgeProtection: purgeProtection ? true : null
    // The event subscription's template takes the webhook's secret from here, past every screen and shell.
    enabledForTemplateDeployment: true
    publicNetworkAccess: publicNetworkAccess
    networkAcls: {
      bypass: 'AzureServices'
      defaultAction: publicNetworkAccess == 'Enabled' ? 'Allow' : 'Deny'
    }
  }
}

output id string = vault.id
output name string = vault.name
