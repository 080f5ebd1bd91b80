// A storage account with its containers. There are two: the functions app's own, and the recordings of people, whose
// access and life span are other matters.

@minLength(3)
@maxLength(24)
param name string

param location string
param tags object
param containers string[]

@description('Days after which a blob in one of these containers is deleted; 0 keeps them.')
param deleteAfterDays int

@description('Days for which nobody can change or delete what is in the container `audit`; 0 makes no such container.')
param auditDays int

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

resource auditContainer 'Microsoft.Storage/storageAccounts/blobServices/containers@2024-01-01' = if (auditDays > 0) {
  parent: blobs
  name: 'audit'
}

// Whoever has the right can still shorten or remove it: `az storage container immutability-policy lock` takes that away for good.
resource auditPolicy 'Microsoft.Storage/storageAccounts/blobServices/containers/immutabilityPolicies@2024-01-01' = if (auditDays > 0) {
  parent: auditContainer
  name: 'default'
  properties: {
    immutabilityPeriodSinceCreationInDays: auditDays
    // Records are appended to the day's blob until the day is over.
    allowProtectedAppendWrites: true
  }
}

var lifeSpans = filter(
  [
    { name: 'delete-old-blobs', containers: containers, days: deleteAfterDays }
    // Later than the policy allows at the earliest.
    { name: 'delete-old-audit-records', containers: ['audit'], days: auditDays == 0 ? 0 : auditDays + 1 }
  ],
  span => span.days > 0
)

resource lifeSpan 'Microsoft.Storage/storageAccounts/managementPolicies@2024-01-01' = if (!empty(lifeSpans)) {
  parent: account
  name: 'default'
  properties: {
    policy: {
      rules: map(lifeSpans, span => {
        name: span.name
        type: 'Lifecycle'
        definition: {
          filters: {
            blobTypes: [
              'blockBlob'
              'appendBlob'
            ]
            // Each container for itself: a rule for the account would delete the other's blobs as well.
            prefixMatch: map(span.containers, blobContainer => '${blobContainer}/')
          }
          actions: {
            baseBlob: {
              delete: {
                daysAfterModificationGreaterThan: span.days
              }
            }
          }
        }
      })
    }
  }
}

output id string = account.id
output name string = account.name
output blobEndpoint string = account.properties.primaryEndpoints.blob
