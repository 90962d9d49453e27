package io.rankfeed.spark.inspect;

import io.rankfeed.console.Console;
import io.rankfeed.look.Inspection;
import io.rankfeed.report.MixtureDiff;
import io.rankfeed.report.OrderDiff;
import io.rankfeed.report.Report;
import io.rankfeed.report.ReportOutput;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.order.Feed;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.Order;
import io.rankfeed.schema.run.MixtureName;
import io.rankfeed.spark.engine.SparkFailures;
import io.rankfeed.spark.run.Sessions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.spark.SparkConf;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says which rows of one plan are in another. */
@Command(
        name = "diff",
        description = {
            "Compare two plans: rows that were added, removed and moved, by stratum, and names some of the"
                    + " rows: rows of a feed are the same where their row ids are (the hash of the key; without a key,"
                    + " of the source file and row). A row moved if its stratum is another; one that stayed may be in"
                    + " another lane, which is counted, too. Takes plans and versions; of a version, its plan. Of the"
                    + " tables only the keys of the rows that are named are read.",
            "Or compare two plans over versions, of one version or of two: numbers, stages, shares and the rows of"
                    + " each stratum, from their files alone. The rows that the versions store are compared by their"
                    + " versions.",
            "Or compare two mixtures: members, numbers, stages, shares and columns, from their files alone.",
            "Add --exit-code for scripts: then it ends with 10 where the rows or their strata, or the plans or mixtures"
                    + " differ."
        },
        exitCodeList = "10:With --exit-code: done, and the rows or their strata, or the plans or mixtures differ.",
        footer = {
            "  ./rankfeed diff build/rankfeed/codecontests/plans/0123456789abcdef \\",
            "      build/rankfeed/codecontests/plans/fedcba9876543210",
            "  ./rankfeed diff VERSION-DIR VERSION-DIR --feed train --json --exit-code",
            "  ./rankfeed diff VERSION-DIR --plan seed7",
            "  ./rankfeed diff VERSION-DIR --plan seed7 --plan easy-first"
        })
public final class DiffCommand implements Callable<Integer> {
    /** No failure has it, and no signal. */
    private static final int DIFFERENT = 10;

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "BEFORE",
            description = "The folder of a plan, a version, a plan over a version, or a mixture.")
    private String before = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "AFTER",
            description = "Another one. Default: BEFORE with the last --plan.")
    private String after = "";

    @Option(
            names = "--plan",
            paramLabel = "PLAN",
            description =
                    "A plan over the version BEFORE, by its name, id or path, in place of AFTER. Two: compare these."
                            + " Default: none, so the version's own plan.")
    private List<String> plans = new ArrayList<>();

    @Option(
            names = "--feed",
            paramLabel = "NAME",
            description = "Only this feed. Default: all, those that one plan has alone, too.")
    private @Nullable String feed;

    @Option(
            names = "--examples",
            paramLabel = "N",
            description = "Number of rows of each kind to list. Default: ${DEFAULT-VALUE}.")
    private int examples = 5;

    @Option(names = "--exit-code", description = "Exit with 10 if they differ. Default: off.")
    private boolean exitCode;

    @Mixin
    private final ReportOutput output = new ReportOutput();

    @Override
    public Integer call() {
        if (examples < 0) {
            throw new ConfigException("--examples " + examples + ": a number from 0");
        }
        Consumer<String> warn = line -> Console.print(spec.commandLine().getErr(), line);
        if (plans.size() > 2 || plans.isEmpty() == after.isEmpty()) {
            throw new ConfigException("name two plans or versions, as in rankfeed diff BEFORE AFTER; or one version and"
                    + " one or two plans over it, as in rankfeed diff VERSION-DIR --plan NAME");
        }
        Optional<MixtureName> old = Inspection.mixture(before, JobParts.STORES, warn);
        old.ifPresent(mixture -> MixtureName.refusePlan(plans.stream().findFirst(), before));
        Optional<MixtureName> now = after.isEmpty() ? old : Inspection.mixture(after, JobParts.STORES, warn);
        if (old.isPresent() && now.isPresent()) {
            return mixtures(old.get(), now.get());
        } else if (old.isPresent() || now.isPresent()) {
            String mixture = old.isPresent() ? before : after;
            throw new ConfigException(mixture + " is a mixture, and " + (old.isPresent() ? after : before)
                    + " is not; compare two mixtures, or two plans or versions (rankfeed inspect " + mixture
                    + " --verbose lists the versions of its members)");
        }
        if (!plans.isEmpty()
                || Inspection.isOverVersion(before, JobParts.STORES, warn)
                || Inspection.isOverVersion(after, JobParts.STORES, warn)) {
            return orders(
                    ComparedOrder.of(before, plans.size() == 2 ? plans.stream().findFirst() : Optional.empty(), warn),
                    ComparedOrder.of(
                            plans.isEmpty() ? after : before, plans.stream().reduce((one, last) -> last), warn));
        }
        PlanRows first = PlanRows.of(before, JobParts.STORES, warn);
        PlanRows second = PlanRows.of(after, JobParts.STORES, warn);
        Report report = new Report().fact("before", first.name()).fact("after", second.name());
        boolean different = false;
        List<String> feeds = feeds(first.order(), second.order());
        try {
            SparkSession spark = Sessions.of("rankfeed diff", new SparkConf(), EnumSet.noneOf(Sessions.Need.class));
            for (String name : feeds) {
                PlanDiff diff = PlanDiff.of(name, first.rows(spark, name), second.rows(spark, name));
                diff.describe(
                        report, examples, ids -> first.keys(spark, name, ids), ids -> second.keys(spark, name, ids));
                different |= diff.isDifferent();
            }
        } catch (Exception e) {
            // Scala throws checked exceptions without declaring them.
            throw SparkFailures.translated(e);
        }
        output.print(report, spec.commandLine());
        return exitCode && different ? DIFFERENT : 0;
    }

    /** Compares what the files of two mixtures state; the rows of their members are those of their versions. */
    private int mixtures(MixtureName first, MixtureName second) {
        feeds(first.mixture().order(), second.mixture().order());
        Report report = new Report().fact("before", first.folder()).fact("after", second.folder());
        MixtureDiff.describe(report, first.mixture(), second.mixture());
        for (Member member : first.mixture().feed().members()) {
            Member.Source was = member.source().orElseThrow();
            second.mixture().feed().members().stream()
                    .filter(other -> other.name().equals(member.name()))
                    .map(other -> other.source().orElseThrow())
                    .filter(is -> !is.version().equals(was.version()))
                    .forEach(is -> report.answer("rows of member " + member.name() + ": rankfeed diff "
                            + first.version(was) + " " + second.version(is)));
        }
        output.print(report, spec.commandLine());
        boolean isSame = first.mixture().id().equals(second.mixture().id());
        return exitCode && !isSame ? DIFFERENT : 0;
    }

    /** Compares the numbers of two orders; the rows that they draw from are those of their versions. */
    private int orders(ComparedOrder first, ComparedOrder second) {
        Report report = new Report().fact("before", first.name()).fact("after", second.name());
        boolean isSame = true;
        if (first.order().equals(second.order())) {
            report.answer("the same plan: " + first.order().plan());
        }
        for (String name : feeds(first.order(), second.order())) {
            Optional<Feed> was = first.order().feed(name);
            Optional<Feed> is = second.order().feed(name);
            OrderDiff.describe(report, name, was, is);
            isSame &= was.equals(is);
        }
        if (first.version().equals(second.version())) {
            report.answer("both draw from version " + first.version());
        } else {
            report.answer("stored rows: rankfeed diff " + first.stored() + " " + second.stored());
        }
        output.print(report, spec.commandLine());
        return exitCode && !isSame ? DIFFERENT : 0;
    }

    private List<String> feeds(Order first, Order second) {
        NavigableSet<String> names = new TreeSet<>();
        first.feeds().stream().map(Feed::name).forEach(names::add);
        second.feeds().stream().map(Feed::name).forEach(names::add);
        if (feed == null) {
            return List.copyOf(names);
        } else if (!names.contains(feed)) {
            throw new ConfigException(
                    "--feed " + feed + ": neither has a feed of that name" + Suggestion.hint(feed, List.copyOf(names)));
        }
        return List.of(feed);
    }
}
