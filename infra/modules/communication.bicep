// Phone calls. The number is bought by hand: numbers are subject to local law, and a template cannot answer for that.

param name string
param tags object

@description('Where the service keeps its data, such as "United States" or "Europe". It cannot be changed later.')
param dataLocation string

resource communication 'Microsoft.Communication/communicationServices@2025-09-01' = {
  name: name
  // The service has no region of its own.
  #disable-next-line no-hardcoded-location
  location: 'global'
  tags: tags
  identity: {
    // Its own identity asks the Speech service for transcriptions in TRANSCRIPTION mode.
    type: 'SystemAssigned'
  }
  properties: {
    dataLocation: dataLocation
    disableLocalAuth: true
  }
}

output name string = communication.name
output endpoint string = 'https://${communication.properties.hostName}'
output immutableId string = communication.properties.immutableResourceId
output principalId string = communication.identity.principalId
