import admin from './admin.json'
import base from './base.json'
import dashboard from './dashboard.json'
import front from './front.json'
import linkList from './linkList.json'
import links from './links.json'
import overview from './overview.json'
import report from './report.json'
import reports from './reports.json'
import stats from './stats.json'
import system from './system.json'

export default { admin, base, dashboard, front, linkList, links, overview, report, reports, stats, system }
