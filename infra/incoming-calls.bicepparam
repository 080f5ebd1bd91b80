// What azd knows after "azd provision". Azure Resource Manager takes the secret from the vault itself: it is on no screen.
using 'incoming-calls.bicep'

param communicationName = readEnvironmentVariable('COMMUNICATION_NAME', 'communication')
param tags = json(readEnvironmentVariable('RESOURCE_TAGS', '{}'))
param baseUrl = readEnvironmentVariable('BASE_URL', 'https://voice.example.com')
param workspaceId = readEnvironmentVariable('LOG_WORKSPACE_ID', '')
param actionGroupId = readEnvironmentVariable('ACTION_GROUP_ID', '')
param webhookSecret = az.getSecret(
  readEnvironmentVariable('AZURE_SUBSCRIPTION_ID', '00000000-0000-0000-0000-000000000000'),
  readEnvironmentVariable('AZURE_RESOURCE_GROUP', 'rg-voice'),
  readEnvironmentVariable('KEY_VAULT_NAME', 'kv-voice'),
  'comm-webhook-secret'
)
