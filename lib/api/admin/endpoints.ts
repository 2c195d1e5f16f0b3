import {
  deleteAccount,
  deleteInvitation,
  getAccount,
  getAccounts,
  getInvitations,
  postBan,
  postInvitation,
  postReset,
  postRole,
  postSignOut,
  postUnban,
} from './accounts'
import { getAudit } from './audit'
import { deleteRule, getRules, postAct, postImport, postRule } from './blocklist'
import { getDeadLetters, postDrop, postRetry } from './dead-letters'
import { deleteDomain, getDomains, patchDomain, postDomain, postVerify } from './domains'
import { getAdminLink, getAllLinks, postAdminBulk, postLinkAction } from './links'
import { getAdminOverview } from './overview'
import { postRebuild } from './rebuild'
import { getReport, getReports, postResolution } from './reports'
import { getSystem } from './system'

/** What admins do, in the order of their pages. */
export const adminEndpoints = [
  getAdminOverview,
  getAllLinks,
  getAdminLink,
  postLinkAction,
  postAdminBulk,
  getReports,
  getReport,
  postResolution,
  getAccounts,
  getAccount,
  deleteAccount,
  postBan,
  postUnban,
  postRole,
  postReset,
  postSignOut,
  getInvitations,
  postInvitation,
  deleteInvitation,
  getRules,
  postRule,
  deleteRule,
  postImport,
  postAct,
  getDomains,
  postDomain,
  patchDomain,
  deleteDomain,
  postVerify,
  getDeadLetters,
  postRetry,
  postDrop,
  postRebuild,
  getSystem,
  getAudit,
]
