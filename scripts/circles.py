"""Finds circles in a graph; used by check-folders and page/folders.py."""


def circles(edges):
    """Returns the groups of more than one node that reach each other, by Tarjan's algorithm. An edge is a pair (user, used)."""
    follows = {}
    for user, used in edges:
        follows.setdefault(user, set()).add(used)
    order, low, stack, groups = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for each in sorted(follows.get(node, ())):
            if each not in order:
                visit(each)
                low[node] = min(low[node], low[each])
            elif each in stack:
                low[node] = min(low[node], order[each])
        if low[node] == order[node]:
            group = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(group) > 1:
                groups.append(group)

    for node in sorted(follows):
        if node not in order:
            visit(node)
    return groups
