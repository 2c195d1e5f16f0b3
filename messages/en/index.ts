import base from './base.json'
import front from './front.json'
import report from './report.json'

export default { base, front, report }
