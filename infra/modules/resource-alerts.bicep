// Alerts on failures that no log reports, because whatever would write the line is full or down. They use Azure's own metrics, and a test
// from outside.

param namePrefix string
param location string
param tags object
param insightsName string
param redisId string

@description('The service’s public address, without a slash at its end.')
param baseUrl string

@description('Who is told; empty for nobody.')
param actionGroupId string

// From four continents: one of them may have a bad line to us. Names are Application Insights' own.
var places = ['us-va-ash-azr', 'us-ca-sjc-azr', 'emea-nl-ams-azr', 'apac-sg-sin-azr', 'latam-br-gru-edge']
var actions = empty(actionGroupId) ? [] : [{ actionGroupId: actionGroupId }]

resource insights 'Microsoft.Insights/components@2020-02-02' existing = {
  name: insightsName
}

resource health 'Microsoft.Insights/webtests@2022-06-15' = {
  name: 'health-${namePrefix}'
  location: location
  // Shows it in the portal below the component that it belongs to.
  tags: union(tags, { 'hidden-link:${insights.id}': 'Resource' })
  kind: 'standard'
  properties: {
    SyntheticMonitorId: 'health-${namePrefix}'
    Name: 'health'
    Enabled: true
    Kind: 'standard'
    Frequency: 300
    Timeout: 30
    RetryEnabled: true
    Locations: map(places, place => { Id: place })
    Request: {
      RequestUrl: '${baseUrl}/api/v1/health'
      HttpVerb: 'GET'
      ParseDependentRequests: false
    }
    ValidationRules: {
      ExpectedHttpStatusCode: 200
      SSLCheck: true
      SSLCertRemainingLifetimeCheck: 7
    }
  }
}

resource unreachable 'Microsoft.Insights/metricAlerts@2018-03-01' = {
  name: 'alert-unreachable-${namePrefix}'
  #disable-next-line no-hardcoded-location
  location: 'global'
  tags: tags
  properties: {
    description: 'The API is not reached from two places of five, or more.'
    severity: 0
    enabled: true
    scopes: [
      health.id
      insights.id
    ]
    evaluationFrequency: 'PT1M'
    windowSize: 'PT5M'
    autoMitigate: true
    criteria: {
      'odata.type': 'Microsoft.Azure.Monitor.WebtestLocationAvailabilityCriteria'
      webTestId: health.id
      componentId: insights.id
      failedLocationCount: 2
    }
    actions: actions
  }
}

resource redisMemory 'Microsoft.Insights/metricAlerts@2018-03-01' = {
  name: 'alert-redis-memory-${namePrefix}'
  #disable-next-line no-hardcoded-location
  location: 'global'
  tags: tags
  properties: {
    description: 'Redis is more than 80 in 100 full: when it is full, no conversation begins.'
    severity: 1
    enabled: true
    scopes: [
      redisId
    ]
    evaluationFrequency: 'PT5M'
    windowSize: 'PT5M'
    autoMitigate: true
    criteria: {
      'odata.type': 'Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria'
      allOf: [
        {
          criterionType: 'StaticThresholdCriterion'
          name: 'memory'
          metricNamespace: 'Microsoft.Cache/redisEnterprise'
          metricName: 'usedmemorypercentage'
          operator: 'GreaterThan'
          threshold: 80
          timeAggregation: 'Maximum'
        }
      ]
    }
    actions: actions
  }
}
