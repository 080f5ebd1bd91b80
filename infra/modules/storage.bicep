// A storage account with its containers. There are two: the functions app's own, and the recordings of people, whose
// access and life span are other matters.

@minLength(3)
@maxLength(24)
param name string

param location string
param tags object
param containers string[]

@description('Days after which a blob is deleted; 0 keeps them.')
param deleteAfterDays int

param publicNetworkAccess 'Enabled' | 'Disabled'

resource account 'Microsoft.Storage/storageAccounts@2024-01-01' = {
  name: name
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: {
    name: 'Standard_ZRS'
  }
  properties: {
    minimumTlsVersion: 'TLS1_2'
    supportsHttpsTrafficOnly: true
    allowBlobPublicAccess: false
    allowSharedKeyAccess: false
    defaultToOAuthAuthentication: true
    publicNetworkAccess: publicNetworkAccess
    networkAcls: {
      bypass: 'AzureServices'
      defaultAction: publicNetworkAccess == 'Enabled' ? 'Allow' : 'Deny'
    }
  }
}

resource blobs 'Microsoft.Storage/storageAccounts/blobServices@2024-01-01' = {
  parent: account
  name: 'default'
  // No soft delete: a deleted recording has to be gone.
}

resource container 'Microsoft.Storage/storageAccounts/blobServices/containers@2024-01-01' = [for containerName in containers: {
  parent: blobs
  name: containerName
}]

resource lifeSpan 'Microsoft.Storage/storageAccounts/managementPolicies@2024-01-01' = if (deleteAfterDays > 0) {
  parent: account
  name: 'default'
  properties: {
    policy: {
      rules: [
        {
          name: 'delete-old-blobs'
          type: 'Lifecycle'
          definition: {
            filters: {
              blobTypes: [
                'blockBlob'
                'appendBlob'
              ]
            }
            actions: {
              baseBlob: {
                delete: {
                  daysAfterModificationGreaterThan: deleteAfterDays
                }
              }
            }
          }
        }
      ]
    }
  }
}

output id string = account.id
output name string = account.name
output blobEndpoint string = account.properties.primaryEndpoints.blob
