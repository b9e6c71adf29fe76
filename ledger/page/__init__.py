"""The pages that this package carries.

assets         the files of a table's page (specs/page.md)
overlay        the tray alone, in one document
package        the npm package for developers
systems        its data about the rules
documentation  the documentation site, and a server for it on this machine
"""
