// Delivers incoming calls to the service. Deployed after the apps: Event Grid calls the address at once and makes no
// subscription where nobody answers.

param communicationName string
param tags object

@description('The service’s public address, without a slash at its end.')
param baseUrl string

@description('Where the deliveries are written down.')
param workspaceId string

@description('Who is told when calls are lost; empty for nobody.')
param actionGroupId string

@description('COMM_WEBHOOK_SECRET, whose first secret the delivery carries in its query.')
@secure()
param webhookSecret string

resource communication 'Microsoft.Communication/communicationServices@2025-09-01' existing = {
  name: communicationName
}

resource topic 'Microsoft.EventGrid/systemTopics@2025-02-15' = {
  name: 'evgt-${communicationName}'
  // A system topic is where its source is, and the communication service has no region.
  #disable-next-line no-hardcoded-location
  location: 'global'
  tags: tags
  properties: {
    source: communication.id
    topicType: 'Microsoft.Communication.CommunicationServices'
  }
}

resource subscription 'Microsoft.EventGrid/systemTopics/eventSubscriptions@2025-02-15' = {
  parent: topic
  name: 'incoming-calls'
  properties: {
    destination: {
      endpointType: 'WebHook'
      properties: {
        // The compiler knows no secure value that is put together. This one goes nowhere else: no variable, no output.
        #disable-next-line use-secure-value-for-secure-inputs
        endpointUrl: '${baseUrl}/api/v1/calls/answer?secret=${uriComponent(trim(split(webhookSecret, ',')[0]))}'
        // A call rings for half a minute: nothing is gained by waiting for a second one.
        maxEventsPerBatch: 1
        minimumTlsVersionAllowed: '1.2'
      }
    }
    eventDeliverySchema: 'EventGridSchema'
    filter: {
      includedEventTypes: [
        'Microsoft.Communication.IncomingCall'
      ]
    }
    // A delivery that comes when the caller has given up is worth nothing.
    retryPolicy: {
      eventTimeToLiveInMinutes: 1
      maxDeliveryAttempts: 5
    }
  }
}

resource deliveries 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: topic
  properties: {
    workspaceId: workspaceId
    logs: [
      {
        categoryGroup: 'allLogs'
        enabled: true
      }
    ]
  }
}

// An event that was dropped is a caller whom nobody answered. It is not kept: it would be a number on a list that nobody deletes.
var lost = [
  { name: 'calls-lost', metric: 'DroppedEventCount', severity: 0, threshold: 0, about: 'A call was never delivered to the API, and rang in vain.' }
  { name: 'calls-late', metric: 'DeliveryAttemptFailCount', severity: 1, threshold: 3, about: 'The API refuses deliveries of calls, or does not answer: they ring longer, and are lost after a minute of it.' }
]

resource alerts 'Microsoft.Insights/metricAlerts@2018-03-01' = [for loss in lost: {
  name: 'alert-${loss.name}-${communicationName}'
  #disable-next-line no-hardcoded-location
  location: 'global'
  tags: tags
  properties: {
    description: loss.about
    severity: loss.severity
    enabled: true
    scopes: [
      topic.id
    ]
    evaluationFrequency: 'PT1M'
    windowSize: 'PT5M'
    autoMitigate: true
    criteria: {
      'odata.type': 'Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria'
      allOf: [
        {
          criterionType: 'StaticThresholdCriterion'
          name: loss.name
          metricNamespace: 'Microsoft.EventGrid/systemTopics'
          metricName: loss.metric
          operator: 'GreaterThan'
          threshold: loss.threshold
          timeAggregation: 'Total'
        }
      ]
    }
    actions: empty(actionGroupId) ? [] : [{ actionGroupId: actionGroupId }]
  }
}]
