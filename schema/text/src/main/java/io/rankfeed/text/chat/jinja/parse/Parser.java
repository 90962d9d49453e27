package io.rankfeed.text.chat.jinja.parse;

import io.rankfeed.text.chat.jinja.node.Blocks;
import io.rankfeed.text.chat.jinja.node.Calls;
import io.rankfeed.text.chat.jinja.node.Expression;
import io.rankfeed.text.chat.jinja.node.Expressions;
import io.rankfeed.text.chat.jinja.node.Flow;
import io.rankfeed.text.chat.jinja.node.For;
import io.rankfeed.text.chat.jinja.node.Frame;
import io.rankfeed.text.chat.jinja.node.Macro;
import io.rankfeed.text.chat.jinja.node.Names;
import io.rankfeed.text.chat.jinja.node.Statement;
import io.rankfeed.text.chat.jinja.node.Statement.Body;
import io.rankfeed.text.chat.jinja.node.Statements;
import io.rankfeed.text.chat.jinja.node.Target;
import io.rankfeed.text.chat.jinja.parse.ParsedNames.Surroundings;
import io.rankfeed.text.chat.jinja.value.TemplateError;
import io.rankfeed.text.chat.jinja.value.Text;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parses templates. */
public final class Parser {
    private static final Set<String> UNSUPPORTED =
            Set.of("block", "extends", "include", "import", "from", "autoescape");

    private final TokenStream tokens;
    private final ParsedNames names = new ParsedNames();
    private final ExpressionParser expressions;

    private Parser(String source) {
        tokens = new TokenStream(Lexer.tokens(source));
        expressions = new ExpressionParser(tokens, names);
    }

    /**
     * A parsed template.
     *
     * @param reads the names that it reads anywhere
     */
    public record Parsed(Body body, Set<String> unset, Set<String> reads, boolean hasGeneration) {}

    public static Parsed parse(String source) {
        Parser parser = new Parser(source);
        Body body = parser.body();
        Names root = new Names(null);
        body.names(root);
        body.frames(root);
        return new Parsed(body, root.unset(), parser.names.all(), parser.hasGeneration);
    }

    private boolean hasGeneration;

    /** Statements up to a block that begins with one of the ends, whose name is then the current token. */
    private Body body(String... ends) {
        tokens.enter();
        List<Statement> statements = new ArrayList<>();
        List<Integer> lines = new ArrayList<>();
        while (!tokens.is(Token.Type.END)) {
            Token token = tokens.next();
            switch (token.type()) {
                case DATA -> statements.add(new Statements.Output(new Expressions.Constant(Text.of(token.text()))));
                case VARIABLE_BEGIN -> {
                    statements.add(new Statements.Output(expressions.tuple(true, false)));
                    tokens.expect(Token.Type.VARIABLE_END);
                }
                default -> {
                    if (tokens.isAny(List.of(ends))) {
                        tokens.leave();
                        return new Body(statements, lines);
                    }
                    statements.addAll(statement());
                    tokens.expect(Token.Type.BLOCK_END);
                }
            }
            lines.addAll(Collections.nCopies(statements.size() - lines.size(), token.line()));
        }
        if (ends.length > 0) {
            throw tokens.failure("the template ends, but '" + ends[ends.length - 1] + "' is missing");
        }
        tokens.leave();
        return new Body(statements, lines);
    }

    /** The body of a statement, whose beginning ends here. */
    private Body bodyAfterTag(String... ends) {
        tokens.skip(":");
        tokens.expect(Token.Type.BLOCK_END);
        return body(ends);
    }

    /** The body of a statement with one end, up to and including that. */
    private Body wholeBody(String end) {
        Body body = bodyAfterTag(end);
        tokens.next();
        return body;
    }

    private List<Statement> statement() {
        Token tag = tokens.expect(Token.Type.NAME);
        return switch (tag.text()) {
            case "set" -> List.of(set());
            case "if" -> List.of(branches());
            case "for" -> List.of(loop());
            case "macro" -> List.of(macro());
            case "call" -> List.of(call());
            case "filter" -> List.of(filter());
            case "with" -> List.of(with());
            case "print" -> print();
            case "generation" -> List.of(generation());
            case "break", "continue" -> {
                if (!names.canJump()) {
                    throw TemplateError.atLine(tag.line(), "'" + tag.text() + "' is outside of a loop");
                }
                yield List.of(new Statements.Jump(tag.text().equals("break") ? Flow.BREAK : Flow.CONTINUE));
            }
            default ->
                throw TemplateError.atLine(
                        tag.line(),
                        UNSUPPORTED.contains(tag.text())
                                ? "the tag '" + tag.text() + "' is not supported"
                                : "unknown or misplaced tag '" + tag.text() + "'");
        };
    }

    private Statement set() {
        Target target = expressions.target(true);
        if (tokens.skip("=")) {
            return new Statements.Set(target, expressions.tuple(true, false));
        }
        Surroundings around = names.enterFrame();
        Expression filtered = expressions.filters(new Expressions.Name(Statements.BODY));
        Body body = wholeBody("endset");
        names.leaveFrame(around);
        return new Blocks.Captured(Optional.of(target), filtered, body, new Frame());
    }

    private Statement branches() {
        names.enterBranch();
        Expression test = expressions.tuple(false, false);
        Body then = bodyAfterTag("elif", "else", "endif");
        List<Statements.If> elifs = new ArrayList<>();
        Body otherwise = Body.EMPTY;
        while (true) {
            Token end = tokens.next();
            if (end.is("elif")) {
                Expression condition = expressions.tuple(false, false);
                Body branch = bodyAfterTag("elif", "else", "endif");
                elifs.add(new Statements.If(condition, branch, List.of(), Body.EMPTY));
                continue;
            } else if (end.is("else")) {
                otherwise = wholeBody("endif");
            }
            names.leaveBranch();
            return new Statements.If(test, then, elifs, otherwise);
        }
    }

    private Statement loop() {
        // The whole statement counts as within the loop for what may be assigned to.
        Surroundings around = names.enterFrame();
        names.enterLoop();
        Target target = expressions.target(false, "in");
        tokens.expect("in");
        Expression iterable = expressions.tuple(false, false, "recursive");
        Optional<Expression> test = tokens.skip("if") ? Optional.of(expressions.expression()) : Optional.empty();
        boolean isRecursive = tokens.skip("recursive");
        Body body = bodyAfterTag("endfor", "else");
        names.leaveFrame(around);
        Body otherwise = Body.EMPTY;
        if (tokens.next().is("else")) {
            Surroundings ofElse = names.enterFrame();
            otherwise = wholeBody("endfor");
            names.leaveFrame(ofElse);
        }
        names.leaveLoop();
        return new For(target, iterable, test, isRecursive, body, otherwise, new Frame(), new Frame(), new Frame());
    }

    private Statement macro() {
        String name = expressions.store(tokens.expect(Token.Type.NAME));
        List<String> parameters = new ArrayList<>();
        List<Expression> defaults = new ArrayList<>();
        signature(parameters, defaults);
        return new Statements.MacroDefinition(rest(Optional.of(name), parameters, defaults, "endmacro"));
    }

    private Statement call() {
        List<String> parameters = new ArrayList<>();
        List<Expression> defaults = new ArrayList<>();
        if (tokens.is("(")) {
            signature(parameters, defaults);
        }
        if (!(expressions.expression() instanceof Calls.Call called)) {
            throw tokens.failure("expected the call of a macro");
        }
        return new Statements.CallBlock(called, rest(Optional.empty(), parameters, defaults, "endcall"));
    }

    private Macro.Definition rest(
            Optional<String> name, List<String> parameters, List<Expression> defaults, String end) {
        Surroundings around = names.enterMacro();
        Body body = wholeBody(end);
        Set<String> reads = names.leaveMacro(around);
        boolean lacksDefault =
                parameters.indexOf("caller") >= 0 && parameters.indexOf("caller") < parameters.size() - defaults.size();
        if (reads.contains("caller") && lacksDefault) {
            throw tokens.failure("the parameter 'caller' must have a default, or be omitted");
        }
        return new Macro.Definition(name, parameters, defaults, body, reads, new Frame());
    }

    private void signature(List<String> parameters, List<Expression> defaults) {
        tokens.expect("(");
        while (!tokens.is(")")) {
            if (!parameters.isEmpty()) {
                tokens.expect(",");
            }
            String parameter = expressions.store(tokens.expect(Token.Type.NAME));
            if (parameters.contains(parameter)) {
                throw tokens.failure("duplicate parameter '" + parameter + "'");
            }
            parameters.add(parameter);
            if (tokens.skip("=")) {
                defaults.add(expressions.expression());
            } else if (!defaults.isEmpty()) {
                throw tokens.failure("a parameter without a default follows one with a default");
            }
        }
        tokens.expect(")");
    }

    private Statement filter() {
        Surroundings around = names.enterFrame();
        Expression filtered = expressions.filters(expressions.filter(new Expressions.Name(Statements.BODY)));
        Body body = wholeBody("endfilter");
        names.leaveFrame(around);
        return new Blocks.Captured(Optional.empty(), filtered, body, new Frame());
    }

    private Statement with() {
        Surroundings around = names.enterFrame();
        List<Target> targets = new ArrayList<>();
        List<Expression> values = new ArrayList<>();
        while (!tokens.is(Token.Type.BLOCK_END)) {
            if (!targets.isEmpty()) {
                tokens.expect(",");
            }
            targets.add(expressions.target(false));
            tokens.expect("=");
            values.add(expressions.expression());
        }
        Body body = wholeBody("endwith");
        names.leaveFrame(around);
        return new Blocks.With(targets, values, body, new Frame());
    }

    private List<Statement> print() {
        List<Statement> outputs = new ArrayList<>();
        while (!tokens.is(Token.Type.BLOCK_END)) {
            if (!outputs.isEmpty()) {
                tokens.expect(",");
            }
            outputs.add(new Statements.Output(expressions.expression()));
        }
        return outputs;
    }

    private Statement generation() {
        hasGeneration = true;
        Surroundings around = names.enterMacro();
        Body body = wholeBody("endgeneration");
        names.leaveMacro(around);
        return new Blocks.Generation(body, new Frame());
    }
}
