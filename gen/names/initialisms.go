package names

import "strings"

// initialisms is the one table of words with a spelling of their own, by lower
// case. It is staticcheck's default list for ST1003 (which is Go's own from
// golint, grown), and below it what names of MCP tools are made of. English
// words (rest, zip, us) stay out.
//
// A word that moves in or out of this table renames Go identifiers of every
// package generated without pins: extend it rarely.
var initialisms = table(`
	ACL API ASCII CPU CSS DNS EOF GUID HTML HTTP HTTPS ID IP JSON QPS RAM RPC SLA
	SMTP SQL SSH TCP TLS TTL UDP UI GID UID UUID URI URL UTF8 VM XML XMPP XSRF XSS
	SIP RTP AMQP DB TS

	AI AWS CDN CI CIDR CLI CRM CSV CVE DOM EOL FAQ FTP GCP GIF GPS GPU HMAC IAM IBAN
	IDE IO IOS IPv4 IPv6 ISBN ISO JPEG JPG JSONL JWT KPI LLM MCP MD5 MIME MX NFT NPM
	NS OAuth OCR OIDC OS OSS OTP PDF PHP PID PNG PPTX PR QR RAG RFC RGB RSA RSS SBOM
	SDK SEO SHA SKU SLO SMS SOAP SSE SSL SSO SVG TOTP TSV TXT URN USB UTC UTF UX
	VAT VAPID VLAN VPC VPN XLS XLSX YAML
`)

func table(spellings string) map[string]string {
	m := make(map[string]string)
	for spelling := range strings.FieldsSeq(spellings) {
		m[strings.ToLower(spelling)] = spelling
	}
	return m
}

// spelling returns how the table writes word, and whether it does: the word
// itself, its plural (ids: IDs), or with digits behind it (sha256: SHA256).
func spelling(word string) (string, bool) {
	lower := strings.ToLower(word)
	if s, ok := initialisms[lower]; ok {
		return s, true
	}
	if stem, plural := strings.CutSuffix(lower, "s"); plural {
		if s, ok := initialisms[stem]; ok {
			return s + "s", true
		}
	}
	stem := strings.TrimRight(lower, "0123456789")
	if s, ok := initialisms[stem]; ok {
		return s + lower[len(stem):], true
	}
	return "", false
}
