// The one public address. Where it leads is in front-door-routes.bicep: the apps want to know the address before they exist.

param name string
param tags object
param sku 'Standard' | 'Premium'

@description('A name of your own for the one address; empty is the name that Front Door gives.')
param domain string

resource profile 'Microsoft.Cdn/profiles@2024-09-01' = {
  name: name
  // The service has no region.
  #disable-next-line no-hardcoded-location
  location: 'global'
  tags: tags
  sku: {
    name: '${sku}_AzureFrontDoor'
  }
  properties: {
    // The longest it allows. Requests end long before; it is the wait for an answer to an upgrade, too.
    originResponseTimeoutSeconds: 240
  }
}

resource endpoint 'Microsoft.Cdn/profiles/afdEndpoints@2024-09-01' = {
  parent: profile
  name: name
  #disable-next-line no-hardcoded-location
  location: 'global'
  properties: {
    enabledState: 'Enabled'
  }
}

// It serves once the owner of the name has put the token below into DNS. The certificate is Front Door's, which renews it.
resource ownDomain 'Microsoft.Cdn/profiles/customDomains@2024-09-01' = if (!empty(domain)) {
  parent: profile
  name: replace(empty(domain) ? 'none' : domain, '.', '-')
  properties: {
    hostName: domain
    tlsSettings: {
      certificateType: 'ManagedCertificate'
      minimumTlsVersion: 'TLS12'
    }
  }
}

output profileName string = profile.name
output endpointName string = endpoint.name
output frontDoorId string = profile.properties.frontDoorId
output ownDomainId string = empty(domain) ? '' : ownDomain.id
output ownDomainToken string = ownDomain.?properties.validationProperties.validationToken ?? ''
output edgeHostName string = endpoint.properties.hostName
output hostName string = empty(domain) ? endpoint.properties.hostName : domain
