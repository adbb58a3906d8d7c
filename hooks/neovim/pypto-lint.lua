-- pypto-lint for Neovim: starts the language server for Python, Markdown and YAML files (`pypto-lint init
-- --client neovim` puts it there). Neovim 0.7 or later. Documented in docs/clients/editors.md of pypto-lint.
local clients = {}

-- The folder of the nearest .git, else that of the file.
local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  local git = vim.fn.finddir(".git", vim.fn.escape(folder, ", ;") .. ";")
  if git == "" then
    git = vim.fn.findfile(".git", vim.fn.escape(folder, ", ;") .. ";")
  end
  return git == "" and folder or vim.fn.fnamemodify(git, ":p:s?/$??:h")
end

local function attach(buffer)
  local path = vim.api.nvim_buf_get_name(buffer)
  if path == "" or vim.bo[buffer].buftype ~= "" then
    return
  end
  local root = root_of(path)
  local id = clients[root]
  if id == nil or vim.lsp.get_client_by_id(id) == nil then
    id = vim.lsp.start_client({
      name = "pypto-lint",
      cmd = { "pypto-lint", "server" },
      root_dir = root,
      workspace_folders = { { uri = vim.uri_from_fname(root), name = root } },
      init_options = { diagnostics = "push" },
    })
    clients[root] = id
  end
  if id ~= nil then
    vim.lsp.buf_attach_client(buffer, id)
  end
end

vim.api.nvim_create_autocmd("FileType", {
  group = vim.api.nvim_create_augroup("pypto-lint", {}),
  pattern = { "python", "markdown", "yaml" },
  callback = function(event)
    attach(event.buf)
  end,
})
