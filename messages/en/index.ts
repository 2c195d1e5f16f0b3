import account from './account.json'
import accountPages from './accountPages.json'
import admin from './admin.json'
import api from './api.json'
import base from './base.json'
import claim from './claim.json'
import commands from './commands.json'
import dashboard from './dashboard.json'
import docs from './docs.json'
import forms from './forms.json'
import front from './front.json'
import linkList from './linkList.json'
import links from './links.json'
import mail from './mail.json'
import offline from './offline.json'
import overview from './overview.json'
import pageWords from './pageWords.json'
import profile from './profile.json'
import proof from './proof.json'
import report from './report.json'
import reports from './reports.json'
import saved from './saved.json'
import settings from './settings.json'
import setup from './setup.json'
import spoken from './spoken.json'
import stats from './stats.json'
import system from './system.json'
import tools from './tools.json'
import visitor from './visitor.json'
import waiting from './waiting.json'

export default {
  account,
  accountPages,
  admin,
  api,
  base,
  claim,
  commands,
  dashboard,
  docs,
  forms,
  front,
  linkList,
  links,
  mail,
  offline,
  overview,
  pageWords,
  profile,
  proof,
  report,
  reports,
  saved,
  settings,
  setup,
  spoken,
  stats,
  system,
  tools,
  visitor,
  waiting,
}
