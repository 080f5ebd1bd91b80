// The settings of both apps, in one place. The names are those of docs/settings.md, and nothing else: a test reads them
// against the settings' schema. What an operator changes later goes into App Configuration, which goes over all of this.

@description('development or production, as ENVIRONMENT wants it.')
param environment string

param baseUrl string

@description('Where sockets of phone networks and platforms go: straight to the hosts.')
param streamingHostUrl string

@description('The identity that both apps use.')
param identity { clientId: string, principalId: string }

param ai {
  id: string
  region: string
  endpoint: string
  voiceLiveEndpoint: string
  deploymentName: string
  @description('Answers when the other one fails; empty where there is none.')
  fallbackDeploymentName: string
  @description('The realtime model. Voice Live brings it along.')
  voiceLiveModel: string
}

@description('The communication service, and the number that was bought for it; without a number there are no phone calls.')
param communication { endpoint: string, immutableId: string, phoneNumber: string }

param redis { hostName: string, port: int }
param archive { endpoint: string, databaseName: string }
param recordingsEndpoint string

@description('The container in which audit records cannot be changed; empty where there is none.')
param auditContainer string

param webPubSubEndpoint string
param configurationEndpoint string

@description('Where telemetry goes. In the functions app, Azure’s own host reads it as well.')
param insightsConnectionString string

@description('The API’s app registration and who may call it, separated by commas; without it the API is open. And the console’s own registration.')
param authentication { clientId: string, allowedClientIds: string, signInClientId: string }

@description('Where the agents come from; what is empty is not set.')
param agents { catalogDir: string, toolsDir: string, scenario: string, demo: bool }

@description('Further settings of both apps, by their names in docs/settings.md; what is empty is not set.')
param given { *: string }

@description('The app role of clients that may place phone calls, where the API is not open; and where calls may go, nowhere where it is empty.')
param placing { role: string, allowedDestinations: string }

@description('The app role of clients that may make agents, where the API is not open; every client may where it is empty.')
param agentRole string

@description('The app role of operators that may publish agents, where the API is not open; every operator may where it is empty.')
param publishRole string

param maxSessions int

// Shorter than the 600 s that a replica gets (streaming-host.bicep), with time to say goodbye in.
var drainSeconds = 540

var common = {
  ENVIRONMENT: environment
  BASE_URL: baseUrl
  STREAMING_HOST_URL: streamingHostUrl
  // Pages come from the front door, and the hosts behind it go by another name.
  CORS_ALLOWED_ORIGINS: baseUrl
  CLOUD_CLIENT_ID: identity.clientId
  CLOUD_TENANT_ID: tenant().tenantId
  CLOUD_OPENAI_ENDPOINT: ai.endpoint
  CLOUD_OPENAI_DEPLOYMENT: ai.deploymentName
  // Empty counts as not set, here as below.
  CLOUD_OPENAI_FALLBACK_DEPLOYMENT: ai.fallbackDeploymentName
  CLOUD_SPEECH_REGION: ai.region
  CLOUD_SPEECH_RESOURCE_ID: ai.id
  CLOUD_VOICELIVE_ENDPOINT: ai.voiceLiveEndpoint
  CLOUD_VOICELIVE_MODEL: ai.voiceLiveModel
  CLOUD_APPCONFIG_ENDPOINT: configurationEndpoint
  CLOUD_WEBPUBSUB_ENDPOINT: webPubSubEndpoint
  CLOUD_DOCSTORE_ENDPOINT: archive.endpoint
  CLOUD_DOCSTORE_DATABASE: archive.databaseName
  CLOUD_STORAGE_ENDPOINT: recordingsEndpoint
  AUDIT_CONTAINER: auditContainer
  TELEMETRY: 'application-insights'
  APPLICATIONINSIGHTS_CONNECTION_STRING: insightsConnectionString
  CACHE_HOST: redis.hostName
  CACHE_PORT: string(redis.port)
  // No password: the identity's tokens take its place.
  CACHE_USERNAME: identity.principalId
  CACHE_TLS: 'true'
}

// Half of this would stop the start, so it is there as a whole or not at all.
var calls = empty(communication.phoneNumber) ? {} : {
  COMM_ENDPOINT: communication.endpoint
  COMM_PHONE_NUMBER: communication.phoneNumber
  COMM_RESOURCE_ID: communication.immutableId
  COMM_COGNITIVE_ENDPOINT: ai.endpoint
  // Empty counts as not set: then no call is placed.
  CALL_ALLOWED_DESTINATIONS: placing.allowedDestinations
}

var openApi = {
  ENABLE_AUTH_VALIDATION: 'false'
}

var protectedApi = {
  ENABLE_AUTH_VALIDATION: 'true'
  BACKEND_AUTH_CLIENT_ID: authentication.clientId
  // Who signs in to the console has tokens of its registration.
  ALLOWED_CLIENT_IDS: join(filter([authentication.allowedClientIds, authentication.signInClientId], ids => !empty(ids)), ',')
  // Without the role a user places no calls; only operators do.
  CALL_ROLE: placing.role
  AGENT_ROLE: agentRole
  PUBLISH_ROLE: publishRole
}

var catalog = union(
  empty(agents.catalogDir) ? {} : { CATALOG_DIR: agents.catalogDir },
  empty(agents.toolsDir) ? {} : { TOOLS_DIR: agents.toolsDir },
  empty(agents.scenario) ? {} : { AGENT_SCENARIO: agents.scenario },
  agents.demo ? { DEMO_ENABLED: 'true' } : {}
)

var console = empty(authentication.signInClientId) ? {} : {
  SIGN_IN_CLIENT_ID: authentication.signInClientId
}

var hostsOwn = {
  HOST: '0.0.0.0'
  PORT: '8080'
  MAX_SESSIONS: string(maxSessions)
  DRAIN_TIMEOUT: string(drainSeconds)
}

// Templates and deployments are read by many. A test holds this list against the settings' schema.
var secretSettings = [
  'TOOL_SECRETS'
  'WEBHOOK_URLS'
  'WEBHOOK_SECRETS'
  'COMM_CONNECTION_STRING'
  'ACS_CONNECTION_STRING'
  'COMM_WEBHOOK_SECRET'
  'ACS_WEBHOOK_SECRET'
  'TWILIO_AUTH_TOKEN'
  'OPENAI_API_KEY'
  'OPENAI_STT_KEY'
  'OPENAI_TTS_KEY'
  'CLOUD_CLIENT_SECRET'
  'AZURE_CLIENT_SECRET'
  'CLOUD_OPENAI_KEY'
  'AZURE_OPENAI_KEY'
  'AZURE_OPENAI_API_KEY'
  'CLOUD_OPENAI_HEADERS'
  'AZURE_OPENAI_HEADERS'
  'CLOUD_OPENAI_FALLBACK_KEY'
  'AZURE_OPENAI_FALLBACK_KEY'
  'CLOUD_SEARCH_KEY'
  'AZURE_SEARCH_KEY'
  'CLOUD_SPEECH_KEY'
  'AZURE_SPEECH_KEY'
  'CLOUD_VOICELIVE_KEY'
  'AZURE_VOICELIVE_KEY'
  'AZURE_VOICELIVE_API_KEY'
  'CLOUD_WEBPUBSUB_CONNECTION_STRING'
  'AZURE_WEBPUBSUB_CONNECTION_STRING'
  'WEBPUBSUB_CONNECTION_STRING'
  'CLOUD_STORAGE_CONNECTION_STRING'
  'AZURE_STORAGE_CONNECTION_STRING'
  'CACHE_PASSWORD'
  'REDIS_PASSWORD'
  'REDIS_ACCESS_KEY'
  'TELEPHONY_API_KEY'
  'TELEPHONY_CLIENT_SECRET'
  'TELEPHONY_KEYS'
  'OTEL_EXPORTER_OTLP_HEADERS'
]
var misplaced = intersection(objectKeys(given), secretSettings)
var own = empty(misplaced) ? given : fail('${misplaced[0]} is a secret: infra/hooks/set-secret.sh ${misplaced[0]} takes it.')

var access = empty(authentication.clientId) ? openApi : protectedApi

output functions object = union(common, own, catalog, calls, access, console)
output streamingHosts object = union(common, own, catalog, calls, access, console, hostsOwn)
