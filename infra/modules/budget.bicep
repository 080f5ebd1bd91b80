// What the environment may cost in a month. Azure stops nothing when it is passed: it tells people.

param name string

@description('In the currency of the subscription.')
param amount int

@description('The first day of a month.')
param startDate string

@description('Who is told, besides the owners of the resource group; empty for nobody.')
param alertEmail string

resource budget 'Microsoft.Consumption/budgets@2024-08-01' = {
  name: name
  properties: {
    category: 'Cost'
    amount: amount
    timeGrain: 'Monthly'
    timePeriod: {
      startDate: startDate
    }
    notifications: {
      spent: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 80
        thresholdType: 'Actual'
        contactEmails: empty(alertEmail) ? [] : [alertEmail]
        contactRoles: ['Owner']
      }
      // Days before the money is gone, if it goes on like this.
      expected: {
        enabled: true
        operator: 'GreaterThan'
        threshold: 100
        thresholdType: 'Forecasted'
        contactEmails: empty(alertEmail) ? [] : [alertEmail]
        contactRoles: ['Owner']
      }
    }
  }
}
