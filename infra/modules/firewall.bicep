// What Front Door lets through: a number of requests from each address, and, in Premium, nothing that looks like an attack on a
// web server. The streaming hosts' own address has no firewall in front; they count and refuse by themselves.

param name string
param tags object
param profileName string
param endpointName string
param sku 'Standard' | 'Premium'

@description('The domain of your own, beside the one that Front Door gives; empty where there is none.')
param ownDomainId string

@description('Requests that one address may make in a minute. Many people of one company have one address.')
param requestsPerMinute int

// The cloud's own services report calls from few addresses: eight requests for each call.
var reportsOfCalls = '^(https?://[^/?#]+)?/api/v1/calls/(answer|callbacks)([/?#]|$)'

resource profile 'Microsoft.Cdn/profiles@2024-09-01' existing = {
  name: profileName
}

resource endpoint 'Microsoft.Cdn/profiles/afdEndpoints@2024-09-01' existing = {
  parent: profile
  name: endpointName
}

resource policy 'Microsoft.Network/FrontDoorWebApplicationFirewallPolicies@2024-02-01' = {
  name: name
  #disable-next-line no-hardcoded-location
  location: 'global'
  tags: tags
  sku: {
    name: '${sku}_AzureFrontDoor'
  }
  properties: {
    policySettings: {
      enabledState: 'Enabled'
      mode: 'Prevention'
      requestBodyCheck: 'Enabled'
    }
    customRules: {
      rules: [
        {
          name: 'Clients'
          priority: 10
          ruleType: 'RateLimitRule'
          action: 'Block'
          rateLimitDurationInMinutes: 1
          rateLimitThreshold: requestsPerMinute
          matchConditions: [
            {
              matchVariable: 'RequestUri'
              operator: 'RegEx'
              negateCondition: true
              matchValue: [reportsOfCalls]
            }
          ]
        }
        {
          name: 'Everybody'
          priority: 20
          ruleType: 'RateLimitRule'
          action: 'Block'
          rateLimitDurationInMinutes: 1
          rateLimitThreshold: requestsPerMinute * 10
          matchConditions: [
            {
              // Every address there is.
              matchVariable: 'SocketAddr'
              operator: 'IPMatch'
              matchValue: ['0.0.0.0/0', '::/0']
            }
          ]
        }
        {
          // Ends the evaluation, and the managed rules come after it: they know nothing of such bodies (cloudevents+json), and one
          // that is refused is a call that nobody answers. The API wants a signed token or the secret for them.
          name: 'ReportsOfCalls'
          priority: 30
          ruleType: 'MatchRule'
          action: 'Allow'
          matchConditions: [
            {
              matchVariable: 'RequestUri'
              operator: 'RegEx'
              matchValue: [reportsOfCalls]
            }
          ]
        }
      ]
    }
    // Standard has none. No rules about bots, because the services that report calls are bots.
    managedRules: sku == 'Standard' ? null : {
      managedRuleSets: [
        {
          ruleSetType: 'Microsoft_DefaultRuleSet'
          ruleSetVersion: '2.1'
          ruleSetAction: 'Block'
          exclusions: [
            {
              // Prompts, what callers say and what tools answer may look like SQL or a shell command, and are never executed.
              matchVariable: 'RequestBodyJsonArgNames'
              selectorMatchOperator: 'EqualsAny'
              selector: '*'
            }
          ]
        }
      ]
    }
  }
}

resource security 'Microsoft.Cdn/profiles/securityPolicies@2024-09-01' = {
  parent: profile
  name: 'firewall'
  properties: {
    parameters: {
      type: 'WebApplicationFirewall'
      wafPolicy: {
        id: policy.id
      }
      associations: [
        {
          domains: concat([{ id: endpoint.id }], empty(ownDomainId) ? [] : [{ id: ownDomainId }])
          patternsToMatch: [
            '/*'
          ]
        }
      ]
    }
  }
}
