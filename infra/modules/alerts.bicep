// What operators look at, and what wakes them. docs/operations.md says of each alert what it means and what to do.

param namePrefix string
param location string
param tags object
param insightsName string

@description('Who is told; nobody where it is empty, and the alerts are seen in the portal only.')
param alertEmail string

resource insights 'Microsoft.Insights/components@2020-02-02' existing = {
  name: insightsName
}

resource workbook 'Microsoft.Insights/workbooks@2023-06-01' = {
  name: guid(insights.id, 'voice-agents')
  location: location
  tags: tags
  kind: 'shared'
  properties: {
    displayName: 'Voice agents'
    category: 'workbook'
    sourceId: insights.id
    serializedData: loadTextContent('../dashboards/workbook.json')
  }
}

resource operators 'Microsoft.Insights/actionGroups@2023-01-01' = if (!empty(alertEmail)) {
  name: 'ag-${namePrefix}'
  location: 'global'
  tags: tags
  properties: {
    groupShortName: 'voice'
    enabled: true
    emailReceivers: [
      {
        name: 'operators'
        emailAddress: alertEmail
        useCommonAlertSchema: true
      }
    ]
  }
}

// Each query gives one number, the value, and no row where too little happened to judge; only `no-hosts` and `api-silent` judge by what is missing.
var rules = [
  {
    name: 'stop-to-audio'
    about: 'One answer in twenty is heard later than two seconds after the caller stopped.'
    severity: 2
    minutes: 15
    threshold: 2000
    query: 'dependencies | where name == "turn" and tostring(customDimensions["voice.turn.kind"]) == "answer" | extend ms = todouble(customDimensions["voice.turn.first_audio_ms"]) | where isnotnull(ms) | summarize value = percentile(ms, 95), turns = count() | where turns >= 20 | project value'
  }
  {
    name: 'failed-turns'
    about: 'More than 5 in 100 turns end without an answer, or most of them where there are few.'
    severity: 1
    minutes: 15
    threshold: 5
    query: 'customMetrics | where name == "voice.turns" | summarize failed = sumif(valueSum, tostring(customDimensions.outcome) == "failed"), turns = sum(valueSum) | where turns >= 20 or (failed >= 3 and failed * 2 > turns) | project value = 100.0 * failed / turns'
  }
  {
    name: 'dead-air'
    about: 'Callers hear nothing for too long.'
    severity: 1
    minutes: 15
    threshold: 5
    query: 'customMetrics | where name == "voice.dead_air" | summarize value = sum(valueSum)'
  }
  {
    name: 'calls-requested'
    about: 'Clients ask for more phone calls than usual: calls cost money.'
    severity: 2
    minutes: 15
    threshold: 200
    query: 'customMetrics | where name == "voice.calls.requested" | summarize value = sum(valueSum)'
  }
  {
    name: 'calls-refused'
    about: 'Clients try to place phone calls that they may not: to numbers, or more often than, the settings allow.'
    severity: 1
    minutes: 15
    threshold: 20
    query: 'customMetrics | where name == "voice.calls.requested" | where tostring(customDimensions.outcome) != "accepted" | summarize value = sum(valueSum)'
  }
  {
    name: 'takeovers'
    about: 'Calls change their host: hosts die, or are stopped too soon.'
    severity: 2
    minutes: 15
    threshold: 10
    query: 'customMetrics | where name == "voice.takeovers" | summarize value = sum(valueSum)'
  }
  {
    name: 'event-loop-delay'
    about: 'A host is late for more than three minutes of five: all of its callers hear it.'
    severity: 2
    minutes: 5
    threshold: 3
    query: 'customMetrics | where name == "voice.host.event_loop_delay" | summarize worst = max(valueMax) by cloud_RoleInstance, bin(timestamp, 1m) | summarize minutes = countif(worst > 250) by cloud_RoleInstance | summarize value = max(minutes)'
  }
  {
    name: 'capacity'
    about: 'More than 80 in 100 places for conversations are taken.'
    severity: 2
    minutes: 5
    threshold: 80
    query: 'customMetrics | where name in ("voice.host.sessions", "voice.host.capacity") | summarize amount = avg(valueSum / valueCount) by name, channel = tostring(customDimensions.channel), cloud_RoleInstance | summarize taken = sumif(amount, name == "voice.host.sessions"), places = sumif(amount, name == "voice.host.capacity") | where places > 0 | project value = 100.0 * taken / places'
  }
  {
    name: 'no-hosts'
    about: 'No streaming host has reported: nobody can call.'
    severity: 0
    minutes: 15
    threshold: 0
    query: 'customMetrics | where name == "voice.host.capacity" | summarize hosts = dcount(cloud_RoleInstance) | project value = iff(hosts == 0, 1, 0)'
  }
  {
    name: 'api-errors'
    about: 'More than 5 in 100 requests to the API are answered with 5xx: calls that ring are lost after a minute of it.'
    severity: 1
    minutes: 5
    threshold: 5
    query: 'requests | where resultCode matches regex "^[1-5][0-9][0-9]$" | summarize failed = sumif(itemCount, toint(resultCode) >= 500), total = sum(itemCount) | where total >= 20 | project value = 100.0 * failed / total'
  }
  {
    name: 'api-silent'
    about: 'The API has answered nobody, not even the scaler that asks every 15 seconds: it is down, and so are incoming calls.'
    severity: 0
    minutes: 15
    threshold: 0
    query: 'requests | where resultCode matches regex "^[1-5][0-9][0-9]$" | summarize answered = count() | project value = iff(answered == 0, 1, 0)'
  }
  {
    name: 'upstream-errors'
    about: 'A service that conversations need fails.'
    severity: 1
    minutes: 5
    threshold: 20
    query: 'customMetrics | where name == "voice.upstream.errors" | summarize value = sum(valueSum)'
  }
  {
    name: 'part-down'
    about: 'A host has not been able to use a service that conversations need for five minutes, whether or not anybody calls.'
    severity: 1
    minutes: 5
    threshold: 0
    query: 'customMetrics | where name == "voice.host.part_down" | extend part = tostring(customDimensions.part), down = valueSum / valueCount | summarize down = min(down) by part, cloud_RoleInstance | summarize value = max(down)'
  }
  {
    name: 'webhooks'
    about: 'A receiver of webhooks has not accepted one for over ten minutes, or wants no more. After sixteen hours it will not be told.'
    severity: 2
    minutes: 15
    threshold: 0
    query: 'customMetrics | where name == "voice.webhooks" | where tostring(customDimensions.outcome) in ("late", "given_up") | summarize value = sum(valueSum)'
  }
  {
    name: 'call-events'
    about: 'No host could handle an event of a call, however often it was tried: what it reports or asks for did not happen.'
    severity: 2
    minutes: 15
    threshold: 0
    query: 'customMetrics | where name == "voice.call_events.given_up" | summarize value = sum(valueSum)'
  }
  {
    name: 'recordings'
    about: 'A recording has gaps, or could not be written at all.'
    severity: 2
    minutes: 15
    threshold: 0
    query: 'customMetrics | where name == "voice.recording.ended" | where tostring(customDimensions.status) in ("incomplete", "failed") | summarize value = sum(valueSum)'
  }
  {
    name: 'after-call'
    about: 'It was not noted what came of a conversation, because no language model answered as asked in three quarters of an hour.'
    severity: 2
    minutes: 15
    threshold: 0
    query: 'customMetrics | where name == "voice.after_call" | where tostring(customDimensions.outcome) == "given_up" | summarize value = sum(valueSum)'
  }
  {
    name: 'archive'
    about: 'A conversation could not be archived for over ten minutes and will be gone a day after its end, or one that was deleted may be left in the archive.'
    severity: 2
    minutes: 15
    threshold: 0
    query: 'customMetrics | where name == "voice.archive" | where tostring(customDimensions.outcome) in ("late", "given_up") | summarize value = sum(valueSum)'
  }
]

resource alerts 'Microsoft.Insights/scheduledQueryRules@2023-12-01' = [for rule in rules: {
  name: 'alert-${rule.name}-${namePrefix}'
  location: location
  tags: tags
  properties: {
    displayName: 'Voice agents: ${rule.name}'
    description: rule.about
    severity: rule.severity
    enabled: true
    scopes: [
      insights.id
    ]
    evaluationFrequency: 'PT5M'
    windowSize: 'PT${rule.minutes}M'
    autoMitigate: true
    criteria: {
      allOf: [
        {
          query: rule.query
          metricMeasureColumn: 'value'
          timeAggregation: 'Maximum'
          operator: 'GreaterThan'
          threshold: rule.threshold
          failingPeriods: {
            numberOfEvaluationPeriods: 1
            minFailingPeriodsToAlert: 1
          }
        }
      ]
    }
    actions: {
      actionGroups: empty(alertEmail) ? [] : [operators.id]
    }
  }
}]

@description('Empty where nobody is told.')
output actionGroupId string = empty(alertEmail) ? '' : operators.id
