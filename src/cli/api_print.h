/* What `api` and `calls` show of a name of the package. */
#ifndef PYPTO_LINT_CLI_API_PRINT_H
#define PYPTO_LINT_CLI_API_PRINT_H

#include "cli/cli.h"
#include "rules/data/api_page.h"

/* Appends the page for people, with its example. */
void api_add_page(Buf *out, const ApiPage *page, Lang lang);
/* Appends one line: the call and what it does. */
void api_add_line(Buf *out, const ApiPage *page);
/* The page as a JSON object; `with_example`: with the program and what people elsewhere call it. */
json_t *api_json(JsonTree *tree, const ApiPage *page, bool with_example);

#endif
