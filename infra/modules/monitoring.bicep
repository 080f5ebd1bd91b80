// Where logs and telemetry go. Nothing is accepted that comes with a key only.

param namePrefix string
param location string
param tags object
param retentionDays int

@description('What is taken in a day. What comes after that is lost: no alert that asks the log is raised until the next day, but `no-hosts` is.')
param gigabytesPerDay int

resource workspace 'Microsoft.OperationalInsights/workspaces@2023-09-01' = {
  name: 'log-${namePrefix}'
  location: location
  tags: tags
  properties: {
    sku: {
      name: 'PerGB2018'
    }
    retentionInDays: retentionDays
    workspaceCapping: {
      dailyQuotaGb: gigabytesPerDay
    }
    features: {
      disableLocalAuth: true
    }
  }
}

resource insights 'Microsoft.Insights/components@2020-02-02' = {
  name: 'appi-${namePrefix}'
  location: location
  tags: tags
  kind: 'web'
  properties: {
    Application_Type: 'web'
    WorkspaceResourceId: workspace.id
    DisableLocalAuth: true
  }
}

output workspaceId string = workspace.id
output insightsName string = insights.name

@description('Says where telemetry goes. It opens nothing by itself: local authentication is off.')
output insightsConnectionString string = insights.properties.ConnectionString
