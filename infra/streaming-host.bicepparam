// What azd knows after "azd provision", and the image that it has just built.
using 'streaming-host.bicep'

param name = readEnvironmentVariable('STREAMING_HOST_NAME', 'streaming-host')
param tags = json(readEnvironmentVariable('RESOURCE_TAGS', '{}'))
param environmentId = readEnvironmentVariable('CONTAINER_ENVIRONMENT_ID', '')
param identityId = readEnvironmentVariable('IDENTITY_ID', '')
param registryServer = readEnvironmentVariable('AZURE_CONTAINER_REGISTRY_ENDPOINT', '')
param image = readEnvironmentVariable('SERVICE_STREAMING_HOST_IMAGE_NAME', '')
param settings = json(readEnvironmentVariable('STREAMING_HOST_SETTINGS', '{}'))
param sessionsUrl = '${readEnvironmentVariable('BASE_URL', '')}/api/v1/health'
param minReplicas = int(readEnvironmentVariable('STREAMING_HOST_MIN_REPLICAS', '2'))
param maxReplicas = int(readEnvironmentVariable('STREAMING_HOST_MAX_REPLICAS', '3'))
param cpu = readEnvironmentVariable('STREAMING_HOST_CPU', '1.0')
param memory = readEnvironmentVariable('STREAMING_HOST_MEMORY', '2Gi')
param sessionsPerReplica = int(readEnvironmentVariable('STREAMING_HOST_SESSIONS_PER_REPLICA', '40'))
