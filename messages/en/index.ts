import base from './base.json'
import report from './report.json'

export default { base, report }
