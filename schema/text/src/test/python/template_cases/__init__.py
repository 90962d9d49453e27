"""Random Jinja expressions and templates, with the results of jinja2 as transformers sets it up."""
