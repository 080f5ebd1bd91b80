// Sockets and the console's pages to the streaming hosts, everything else to the functions app: one base URL for both.
// docs/decisions says why the phone network's sockets do not come this way.

param profileName string
param endpointName string
param functionsHostName string
param streamingHostName string

@description('The functions app, where Front Door comes to it by a private link; empty where it comes over the internet.')
param functionsLinkId string

param location string

@description('The domain of your own, beside the one that Front Door gives; empty where there is none.')
param ownDomainId string

@description('The paths of streaming-host/src/server/accept/stream-routes.ts.')
param socketPaths string[]

@description('The paths of streaming-host/src/server/pages/serve-pages.ts.')
param pagePaths string[]

resource profile 'Microsoft.Cdn/profiles@2024-09-01' existing = {
  name: profileName
}

resource endpoint 'Microsoft.Cdn/profiles/afdEndpoints@2024-09-01' existing = {
  parent: profile
  name: endpointName
}

var apps = [
  { name: 'functions', hostName: functionsHostName, linkId: functionsLinkId, paths: ['/*'] }
  // Machines reach these over the internet in any case (docs/decisions).
  { name: 'streaming-hosts', hostName: streamingHostName, linkId: '', paths: concat(pagePaths, socketPaths) }
]

resource group 'Microsoft.Cdn/profiles/originGroups@2024-09-01' = [for app in apps: {
  parent: profile
  name: app.name
  properties: {
    // With one origin there is nothing to choose by health, and a probe from every edge is a load of its own.
    loadBalancingSettings: {
      sampleSize: 4
      successfulSamplesRequired: 3
    }
    sessionAffinityState: 'Disabled'
  }
}]

resource origin 'Microsoft.Cdn/profiles/originGroups/origins@2024-09-01' = [for (app, i) in apps: {
  parent: group[i]
  name: app.name
  properties: {
    hostName: app.hostName
    originHostHeader: app.hostName
    httpsPort: 443
    enforceCertificateNameCheck: true
    enabledState: 'Enabled'
    // Nobody is let in until the link is approved, which hooks/approve-private-origin.sh does.
    sharedPrivateLinkResource: empty(app.linkId) ? null : {
      privateLink: {
        id: app.linkId
      }
      groupId: 'sites'
      privateLinkLocation: location
      requestMessage: profile.properties.frontDoorId
    }
  }
}]

resource route 'Microsoft.Cdn/profiles/afdEndpoints/routes@2024-09-01' = [for (app, i) in apps: {
  parent: endpoint
  name: app.name
  properties: {
    originGroup: {
      id: group[i].id
    }
    customDomains: empty(ownDomainId) ? [] : [{ id: ownDomainId }]
    patternsToMatch: app.paths
    supportedProtocols: [
      'Http'
      'Https'
    ]
    httpsRedirect: 'Enabled'
    forwardingProtocol: 'HttpsOnly'
    linkToDefaultDomain: 'Enabled'
    enabledState: 'Enabled'
    // No cache: with one, Front Door forwards no upgrade to a socket.
  }
  dependsOn: [
    origin
  ]
}]
