// The streaming hosts: a container app whose replicas own the sockets. azd deploys this file when the image is there
// ("azd deploy"), because a container app cannot be made without one.

param location string = resourceGroup().location
param name string
param tags object

param environmentId string
param identityId string
param registryServer string
param image string

@description('The settings of docs/settings.md, by name.')
param settings { *: string }

@description('The URL of GET /api/v1/health, which counts the conversations of all streaming hosts.')
param sessionsUrl string

param minReplicas int
param maxReplicas int
param cpu string
param memory string
param sessionsPerReplica int

// The longest that Container Apps waits. DRAIN_TIMEOUT must be shorter: a test holds the two together.
var terminationGraceSeconds = 600

resource app 'Microsoft.App/containerApps@2025-01-01' = {
  name: name
  location: location
  tags: union(tags, { 'azd-service-name': 'streaming-host' })
  identity: {
    type: 'UserAssigned'
    userAssignedIdentities: {
      '${identityId}': {}
    }
  }
  properties: {
    environmentId: environmentId
    workloadProfileName: 'Consumption'
    configuration: {
      // Old replicas drain while the new ones take what is new.
      activeRevisionsMode: 'Single'
      ingress: {
        external: true
        targetPort: 8080
        // HTTP/1.1: an upgrade to a WebSocket is its own.
        transport: 'http'
        allowInsecure: false
        // A call's audio comes back to the host that answers it next, not to the one that is gone.
        stickySessions: {
          affinity: 'none'
        }
      }
      registries: [
        {
          server: registryServer
          identity: identityId
        }
      ]
    }
    template: {
      terminationGracePeriodSeconds: terminationGraceSeconds
      containers: [
        {
          name: 'streaming-host'
          image: image
          resources: {
            cpu: json(cpu)
            memory: memory
          }
          env: map(items(settings), setting => { name: setting.key, value: setting.value })
          probes: [
            {
              type: 'Startup'
              httpGet: {
                path: '/healthz'
                port: 8080
              }
              periodSeconds: 2
              failureThreshold: 30
            }
            {
              type: 'Liveness'
              httpGet: {
                path: '/healthz'
                port: 8080
              }
              // A loop that hangs for half a minute has lost its calls already.
              periodSeconds: 10
              timeoutSeconds: 5
              failureThreshold: 3
            }
            {
              type: 'Readiness'
              httpGet: {
                path: '/readyz'
                port: 8080
              }
              periodSeconds: 5
              timeoutSeconds: 2
              failureThreshold: 1
            }
          ]
        }
      ]
      scale: {
        minReplicas: minReplicas
        maxReplicas: maxReplicas
        // Replicas that are too many are stopped after 300 s of less, all at once. Nothing here can change that:
        // cooldownPeriod is only for the step from one replica to none.
        pollingInterval: 15
        rules: [
          {
            name: 'conversations'
            custom: {
              type: 'metrics-api'
              metadata: {
                url: sessionsUrl
                valueLocation: 'active_sessions'
                targetValue: '${sessionsPerReplica}'
              }
            }
          }
          {
            // For the work that a count does not show, such as many dashboards.
            name: 'processor'
            custom: {
              type: 'cpu'
              metadata: {
                type: 'Utilization'
                value: '65'
              }
            }
          }
        ]
      }
    }
  }
}

output SERVICE_STREAMING_HOST_NAME string = app.name
