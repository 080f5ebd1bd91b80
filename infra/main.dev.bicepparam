// The smallest environment, with fixed values: what the compiler's snapshot is made of.
using 'main.bicep'

param environmentName = 'voice-dev'
param location = 'eastus2'
param size = 'development'
param privateNetworking = false
param redisClusteringPolicy = 'EnterpriseCluster'
param communicationDataLocation = 'United States'
param phoneNumber = ''
param modelName = 'gpt-5.4-mini'
param modelVersion = '2026-03-17'
param voiceLiveModel = 'gpt-realtime-2.1'
param apiClientId = ''
param allowedClientIds = ''
param signInClientId = ''
param catalogDir = ''
param toolsDir = ''
param agentScenario = ''
param demoEnabled = false
param callRole = 'Voice.Caller'
param callDestinations = ''
param recordingDays = 7
param archiveDays = 7
param alertEmail = ''
param deployerId = '11111111-1111-1111-1111-111111111111'
param deployerType = 'User'
