/*
  The two sizes in which the service is deployed, and what they cost.

  Costs are estimates of 2026-11-22, in US dollars a month of 730 hours in a large US region, and nobody has verified them
  against the price pages. Check each with the pricing calculator (azure.microsoft.com/pricing/calculator) before relying on
  it. Models, speech and phone minutes are charged by use and usually exceed everything below: see "What a call costs" in
  docs/deployment.md.

                                   development   production   price page (azure.microsoft.com/pricing/details/…)
    Container Apps, streaming hosts        95          420    container-apps: 2 x 1 vCPU 2 GiB; 3 x 2 vCPU 4 GiB, part idle
    Functions, Flex Consumption             0           15    functions: one always-ready instance of 2 GB in production
    Managed Redis                          13          140    managed-redis: Balanced B0 without, B3 with a replica
    Front Door Standard                    35           45    frontdoor: base fee, and requests and traffic
    Cosmos DB                               1           10    cosmos-db: serverless; autoscale of 1,000 RU/s at most
    Web PubSub                              0           49    web-pubsub: Free; one unit of Standard
    App Configuration                       4           36    app-configuration: Developer; Standard
    Container Registry                      5           20    container-registry: Basic; Standard
    Log Analytics and telemetry             5           60    monitor: 2 GB; 25 GB
    Storage, Key Vault, Event Grid          1            5    storage/blobs, key-vault, event-grid
    ----------------------------------------------------
    without use                           160          800
    private networking                                 +60    private-link: 7 endpoints of about 7.30, and DNS zones
*/

// For trying, and for a few conversations at a time: the smallest environment that does everything.
@export()
var development = {
  // What ENVIRONMENT says to both apps. In development a local part may stand in for a service that is not there.
  environment: 'development'
  hosts: {
    // Fewer than two would leave calls without a host during a deployment.
    minReplicas: 2
    maxReplicas: 3
    // Cores as Container Apps wants them: a decimal number in text.
    cpu: '1.0'
    memory: '2Gi'
    // Conversations one replica takes; more are refused and go to another.
    maxSessions: 50
    // Conversations per replica at which another one is added. Below maxSessions, for a replica takes time to start.
    sessionsPerReplica: 40
  }
  functions: {
    // Instances that are always warm. Without one, a cold start lets the phone ring for seconds longer.
    alwaysReady: 0
    maxInstances: 40
  }
  redis: {
    sku: 'Balanced_B0'
    // Without a replica, a restart of the server is an outage of a minute: running calls go on, new ones are refused.
    highAvailability: 'Disabled'
  }
  // Requests in a second that Cosmos DB serves at most; 0 is serverless.
  archiveThroughput: 0
  webPubSubSku: 'Free_F1'
  // Not the free one: every process reads the store each five minutes, and 1,000 requests a day are four processes.
  configurationSku: 'developer'
  registrySku: 'Basic'
  logRetentionDays: 30
  // With it, deleted secrets cannot be erased for 90 days, nor can the vault be made anew under its name.
  purgeProtection: false
  // Thousands of tokens a minute that the language model may use.
  modelCapacity: 50
}

// 300 calls at a time: three replicas hold them, and the fourth is there before they are full.
@export()
var production = {
  environment: 'production'
  hosts: {
    minReplicas: 3
    maxReplicas: 10
    cpu: '2.0'
    memory: '4Gi'
    maxSessions: 150
    sessionsPerReplica: 100
  }
  functions: {
    alwaysReady: 1
    maxInstances: 100
  }
  redis: {
    sku: 'Balanced_B3'
    highAvailability: 'Enabled'
  }
  archiveThroughput: 1000
  webPubSubSku: 'Standard_S1'
  configurationSku: 'standard'
  registrySku: 'Standard'
  logRetentionDays: 90
  purgeProtection: true
  modelCapacity: 500
}
