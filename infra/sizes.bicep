/*
  The two sizes in which the service is deployed: the numbers are in sizes.json, from which the templates, the check of quotas
  (hooks/check-quotas.mjs) and the table in docs/deployment.md are made. What the numbers mean is said here.

  What they cost are estimates of 2026-11-28, in US dollars a month of 730 hours in a large US region, and nobody has verified them
  against the price pages. Check each with the pricing calculator (azure.microsoft.com/pricing/calculator) before relying on
  it. Models, speech and phone minutes are charged by use and usually exceed everything below: see "What a call costs" in
  docs/deployment.md.

                                   development   production   price page (azure.microsoft.com/pricing/details/…)
    Container Apps, streaming hosts        95          420    container-apps: 2 x 1 vCPU 2 GiB; 3 x 2 vCPU 4 GiB, part idle
    Functions, Flex Consumption             5           30    functions: the scaler's requests; two always-ready instances of 2 GB in production
    Managed Redis                          13          140    managed-redis: Balanced B0 without, B3 with a replica
    Front Door                             35          340    frontdoor: base fee of Standard or Premium, requests and traffic; the firewall's rules
    Cosmos DB                               1           10    cosmos-db: serverless; autoscale of 1,000 RU/s at most
    Web PubSub                              0           49    web-pubsub: Free; one unit of Standard
    App Configuration                       4           36    app-configuration: Developer; Standard
    Container Registry                      5           20    container-registry: Basic; Standard
    Log Analytics and telemetry            10          100    monitor: 4 GB; 40 GB; the availability test
    Storage, Key Vault, Event Grid          1            5    storage/blobs, key-vault, event-grid
    ----------------------------------------------------
    without use                           170        1,150
    private networking                                 +60    private-link: 7 endpoints of about 7.30, and DNS zones
*/

/*
  What the numbers of a size mean:

    environment         what ENVIRONMENT says to both apps; in development a local part may stand in for a service that is not there
    calls               calls at a time for which all of it is enough, if the quotas are granted
    fallbackCalls       of these, as many can be answered by the fallback deployment of the model; with 0 there is none
    hosts
      minReplicas       fewer than two would leave calls without a host during a deployment; with one gone, the others hold all calls
      cpu               cores as Container Apps wants them: a decimal number in text
      maxSessions       conversations that one replica takes; more are refused and go to another
      sessionsPerReplica  conversations per replica at which another one is added: fewer, because a replica takes time to start
    functions
      alwaysReady       warm instances; without one, a cold start lets the phone ring for seconds longer. Zone redundancy has two at least
    redis
      highAvailability  without a replica, a restart of the server is an outage of a minute: running calls go on, new ones are refused
    zoneRedundant       spreads hosts, functions and the archive over the zones of a region; storage and a Redis with a replica are in any case
    archiveThroughput   requests in a second that Cosmos DB serves at most; 0 is serverless
    configurationSku    not the free one: every process reads the store each five minutes, and 1,000 requests a day are four processes
    frontDoorSku        both limit the rate of each address; Premium also has Microsoft's managed rules, and private origins
    logGigabytesPerDay  what comes after that is lost until the next day, so that a flood of lines costs a bounded sum
    purgeProtection     with it, deleted secrets cannot be erased for 90 days, nor can the vault be made anew under its name
*/

var table = loadJsonContent('sizes.json')

@export()
var development = table.development

@export()
var production = table.production

// Tokens of the language model that one call uses in a minute.
@export()
var tokensOfCallMinute = table.perCall.turnsPerMinute * table.perCall.tokensPerTurn
