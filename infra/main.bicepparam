// The environment that azd works on: "azd env set NAME value" changes a line.
using 'main.bicep'

param environmentName = readEnvironmentVariable('AZURE_ENV_NAME', 'voice')
param location = readEnvironmentVariable('AZURE_LOCATION', 'eastus2')
param size = readEnvironmentVariable('VOICE_SIZE', 'development')
param privateNetworking = bool(readEnvironmentVariable('VOICE_PRIVATE_NETWORKING', 'false'))
param redisClusteringPolicy = readEnvironmentVariable('VOICE_REDIS_CLUSTERING', 'EnterpriseCluster')
param communicationDataLocation = readEnvironmentVariable('VOICE_DATA_LOCATION', 'United States')
param phoneNumber = readEnvironmentVariable('VOICE_PHONE_NUMBER', '')
param modelName = readEnvironmentVariable('VOICE_MODEL', 'gpt-4.1-mini')
param modelVersion = readEnvironmentVariable('VOICE_MODEL_VERSION', '2025-04-14')
param voiceLiveModel = readEnvironmentVariable('VOICE_LIVE_MODEL', 'gpt-realtime')
param apiClientId = readEnvironmentVariable('VOICE_API_CLIENT_ID', '')
param allowedClientIds = readEnvironmentVariable('VOICE_ALLOWED_CLIENT_IDS', '')
param recordingDays = int(readEnvironmentVariable('VOICE_RECORDING_DAYS', '90'))
param archiveDays = int(readEnvironmentVariable('VOICE_ARCHIVE_DAYS', '90'))
param deployerId = readEnvironmentVariable('AZURE_PRINCIPAL_ID', '')
param deployerType = readEnvironmentVariable('AZURE_PRINCIPAL_TYPE', 'User')
