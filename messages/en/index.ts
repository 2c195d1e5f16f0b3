import base from './base.json'
import dashboard from './dashboard.json'
import front from './front.json'
import linkList from './linkList.json'
import links from './links.json'
import overview from './overview.json'
import report from './report.json'
import stats from './stats.json'

export default { base, dashboard, front, linkList, links, overview, report, stats }
