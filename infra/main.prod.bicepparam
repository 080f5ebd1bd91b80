// 300 calls, private networking and a protected API, with fixed values: what the compiler's snapshot is made of.
// The ids and the number are made up.
using 'main.bicep'

param environmentName = 'voice-prod'
param location = 'eastus2'
param size = 'production'
param privateNetworking = true
param redisClusteringPolicy = 'EnterpriseCluster'
param communicationDataLocation = 'United States'
param phoneNumber = '+12025550100'
param modelName = 'gpt-5.4-mini'
param modelVersion = '2026-03-17'
param modelCapacityGranted = 0
param fallbackModelName = ''
param fallbackModelVersion = ''
param fallbackSku = 'DataZoneStandard'
param fallbackCapacityGranted = 0
param voiceLiveModel = 'gpt-realtime-2.1'
param apiClientId = '22222222-2222-2222-2222-222222222222'
param allowedClientIds = '33333333-3333-3333-3333-333333333333'
param signInClientId = '55555555-5555-5555-5555-555555555555'
param catalogDir = 'own/pizza-desk'
param toolsDir = ''
param agentScenario = ''
param demoEnabled = false
param given = {
  STT_LANGUAGE: 'de-DE'
  TOOL_HOSTS: 'orders.example.com'
}
param callRole = 'Voice.Caller'
param callDestinations = 'US'
param agentRole = 'Voice.AgentMaker'
param publishRole = 'Voice.Publisher'
param recordingDays = 90
param archiveDays = 90
param auditDays = 365
param monthlyBudget = 5000
param budgetStart = '2026-11-01'
param frontDoorSku = ''
param domain = 'voice.example.com'
param requestsPerMinute = 2000
param privateOrigins = true
param zoneRedundancy = true
param alertEmail = 'operators@example.com'
param deployerId = '44444444-4444-4444-4444-444444444444'
param deployerType = 'ServicePrincipal'
