package io.rankfeed.feeder.plan;

import static io.rankfeed.feeder.plan.MixtureFixture.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import io.rankfeed.feeder.cli.FeedCommand;
import io.rankfeed.feeder.explain.ExplainCommand;
import io.rankfeed.feeder.fixture.CommandRun;
import io.rankfeed.job.plan.CountedStratum;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The configuration errors of {@code rankfeed plan --mixture}, and what they say to do. */
class MixtureConfigErrorsTest {
    private MixtureFixture mixtures;

    @BeforeEach
    void writeVersions(@TempDir Path dir) throws IOException {
        mixtures = MixtureFixture.write(dir);
    }

    @Test
    void name_ofAnotherMixture_isRefused() {
        mixtures.plan("--name", "mixed");
        CommandRun run = mixtures.plan("--name", "mixed", "--set", "seed=8");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--name mixed").contains("names the mixture");
    }

    @Test
    void version_elsewhere_isRefused() throws IOException {
        Path c = mixtures.version(mixtures.dir().resolve("other"), "third", 4, TEXT);
        CommandRun run = mixtures.plan("--set", "members.b=" + c);
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .contains("member 'b' is below " + mixtures.dir().resolve("other") + " and member 'a' is below "
                        + mixtures.root());
        Path moved = Files.move(c, mixtures.dir().resolve("moved"));
        assertThat(mixtures.plan("--set", "members.b=" + moved).err())
                .contains("member 'b': " + moved + " is not at ROOT/third/versions/");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "weights={a: 1}        | key 'weights': does not name member 'b'; give it a weight, or remove it from members",
                "weights={a: 1, b: 1, c: 1} | mix.yaml: weights: unknown member 'c'; did you mean 'a'?",
                "weights={a: 1, bb: 1} | key 'weights': unknown member 'bb'; did you mean 'b'?",
                "weights={a: 1, b: -1} | mix.yaml: weights: weight -1 of 'b' is negative",
                "weights={a: .nan}     | key 'weights.a': must be a number",
                "weights={a: 0, b: 0}  | mix.yaml: weights: all weights are 0",
                "weights={}            | the members have no weights",
                "stages=[{weights: {a: 1}}] | key 'stages': excludes weights",
                "batch=3               | mix.yaml: batch 3 is not a multiple of 2",
                "rows=7                | an epoch of 7 rows does not fill one batch of 8",
                "rows=null             | the length of an epoch is missing; write rows, or pass-of",
                "pass-of=a             | key 'pass-of': excludes rows",
                "fill={}               | column 'label' is in member 'a' and not in member 'b'; give it a value with fill",
                "fill={label: x}       | fill of column 'label': 'x' must be a number, as the column is int16",
                "fill={label: 40000}   | fill of column 'label': 40000 is not a valid int16",
                "fill={label: {values: [1, 2]}} | fill of column 'label' has 2 values",
                "fill={label: 0, text: x} | all members have the column 'text'",
                "fill={lable: 0, label: 0} | unknown column 'lable'; did you mean 'label'?",
                "wieghts={a: 1}        | key 'wieghts': unknown key; did you mean 'weights'?",
                "members={}            | key 'members': has no member",
                "members={A: x}        | 'A' does not have the form",
                "members.a.feed=trian  | member 'a': no feed 'trian'; did you mean 'train'?",
                "members.a.plan=none   | member 'a': plan none: no plan of that name or id",
                "members.a.version=x   | member 'a': x: no such folder",
                "on-end=halt           | 'halt' is not one of repeat"
            })
    void wrongSettings_areRefusedWithTheRemedy(String assignment, String what) {
        CommandRun run = mixtures.plan("--set", assignment);
        assertThat(run.exitCode()).as(run.out()).isEqualTo(2);
        assertThat(run.err()).contains(what);
        assertThat(mixtures.root().resolve("mixtures")).doesNotExist();
    }

    @Test
    void stages_areNamedByTheirKey() {
        CommandRun run = mixtures.plan(
                "--set", "weights={}", "--set", "stages=[{until: 0.5, weights: {a: 1, b: 1}}, {weights: {a: -1}}]");
        assertThat(run.err()).contains("mix.yaml: stages[1].weights: weight -1 of 'a' is negative");
    }

    @Test
    void memberWithoutATrainFeed_isRefused() throws IOException {
        PlannableVersion list = PlannableVersion.write(
                mixtures.root(),
                "kind: sequential, batch: 8, lanes: 4",
                List.of(new CountedStratum("all", List.of(), 100)));
        assertThat(mixtures.plan("--set", "members.b=" + list.folder()).err())
                .contains("member 'b': the version has no feed that trains, and a mixture draws from such feeds; name"
                        + " another version")
                .doesNotContain("[]");
    }

    @Test
    void column_namedAsThatOfMembers_isRefused() throws IOException {
        Field member = new Field("_member", DType.INT32, Shape.scalar(), false);
        Path c = mixtures.version(mixtures.root(), "third", 4, TEXT, member);
        assertThat(mixtures.plan("--set", "members.b=" + c).err())
                .contains("column '_member' of member 'b' has the name of the column of member numbers");
    }

    @Test
    void options_ofAPlanOverAVersion_cannotBeCombined() {
        assertThat(mixtures.plan("--feed", "train").err()).contains("cannot be combined with --feed");
        assertThat(mixtures.plan("--out", mixtures.dir()).err()).contains("cannot be combined with --out");
        assertThat(mixtures.plan(mixtures.root()).err()).contains("cannot be combined with " + mixtures.root());
        assertThat(CommandRun.of(new PlanCommand()).err()).contains("or give --mixture FILE");
        assertThat(CommandRun.of(new PlanCommand(), "--mixture", "missing.yaml").err())
                .contains("--mixture missing.yaml: no such file");
    }

    @Test
    void mixture_inPlaceOfAVersionOrAPlan_isRefusedWithRemedy() throws IOException {
        mixtures.plan("--name", "mixed");
        Path mixed = mixtures.root().resolve("mixtures/mixed");
        CommandRun planned = CommandRun.of(new PlanCommand(), mixed, "--set", "seed=8");
        assertThat(planned.exitCode()).isEqualTo(2);
        assertThat(planned.err())
                .contains(mixed + " is a mixture, and not a version")
                .contains("plan --mixture FILE");
        CommandRun fed = CommandRun.of(new FeedCommand(), mixed, "--world", 8, "--dry-run");
        assertThat(fed.err())
                .contains("choose one of 1, 2, or export the members again with multiples of 8 lanes")
                .doesNotContain("plan again");
        Path version = mixtures.version(mixtures.root(), "third", 3, TEXT);
        CommandRun explained = CommandRun.of(new ExplainCommand(), version, "--step", 0, "--plan", mixed);
        assertThat(explained.exitCode()).isEqualTo(2);
        assertThat(explained.err())
                .contains("plan " + mixed + ": is a mixture")
                .contains("give the mixture in place of the version");
    }
}
